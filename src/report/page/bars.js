/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Colours, and bars as drawings that grow with the page.
 */

/** A colour of the style sheet, for what is drawn without it: "--ink". */
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of the n-th series; neighbours differ for all eyes, and in grey. */
function seriesColour(series) {
  return `--series-${series % 8}`;
}

/**
 * One bar of parts, one after the other.
 * @param parts {name, value, colour, text} @param most value that fills the width
 */
function bar(parts, most, label) {
  const width = 1000;
  let at = 0;
  const rects = parts.map((part) => {
    const length = most > 0 ? (part.value / most) * width : 0;
    const rect = drawing("rect", { x: at, y: 0, width: Math.max(length, 0), height: 10, style: `fill: var(${part.colour})` },
      drawing("title", {}, `${part.name}: ${part.text}`));
    at += length;
    return rect;
  });
  return drawing("svg", { class: "bar", viewBox: `0 0 ${width} 10`, preserveAspectRatio: "none", role: "img", "aria-label": label }, rects);
}

/** A name, a bar and what stands behind it. @param name a node or text */
function barRow(name, drawn, ...after) {
  return element("div", { class: "bar-row" }, element("div", { class: "bar-name" }, name), drawn,
    element("div", { class: "bar-value" }, ...after));
}

/** What the colours mean: {name, colour} */
function colourLegend(parts) {
  const entry = (part) => element("li", {}, element("span", { class: "swatch", style: `background: var(${part.colour})` }), part.name);
  return element("ul", { class: "legend" }, parts.map(entry));
}

/** The parts of a row's time as one bar. */
function shareBar(results, row, most) {
  const parts = sharesOf(results, row).map((part) => ({
    name: part.name, value: part.seconds, colour: part.colour, text: figure(part.seconds, "s"),
  }));
  return bar(parts, most, parts.map((part) => `${part.name} ${part.text}`).join(", "));
}

/** All shares that any of the rows has. */
function shareLegend(results) {
  const parts = SHARES.map((name, i) => ({ name, colour: `--share-${i}` }));
  return colourLegend(parts.filter((part) => {
    const column = results.column(`${part.name}_s`);
    return column && column.numbers.some((seconds) => seconds > 0);
  }));
}
