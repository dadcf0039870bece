/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Elements of the page. What a text holds is never read as markup.
 */

/** Attributes that are functions listen: {onclick: f}; what is null or false is left out. */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  setAttributes(node, attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function drawing(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(node, attributes);
  node.append(...children.flat());
  return node;
}

/** A section of the page with its heading. */
function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": heading.id }, heading, ...children);
}

/** A table of few rows. */
function smallTable(head, rows, className = "") {
  const cells = (name, texts) => texts.map((text) => element(name, name === "th" ? { scope: "col" } : {}, text));
  const table = element(
    "table",
    { class: `small ${className}` },
    head.length > 0 ? element("thead", {}, element("tr", {}, cells("th", head))) : null,
    element("tbody", {}, rows.map((row) => element("tr", {}, cells("td", row)))),
  );
  return element("div", { class: "wide" }, table);
}

/** A choice among [value, text] pairs, or among groups of them: {title: pairs}. */
function choice(label, options, chosen, onchange, id = null) {
  const option = ([value, text]) => element("option", { value, selected: value === chosen }, text);
  const groups = Array.isArray(options)
    ? options.map(option)
    : Object.entries(options).map(([title, pairs]) => element("optgroup", { label: title }, pairs.map(option)));
  const select = element("select", { id, onchange: () => onchange(select.value) }, groups);
  return element("label", { class: "choice" }, element("span", {}, label), select);
}

/** A text to be copied, and a button that does. */
function commandLine(text) {
  const code = element("code", { tabindex: "0" }, text);
  const select = () => getSelection().selectAllChildren(code);
  const button = element("button", {
    type: "button",
    onclick: () => {
      select();
      const copied = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("none"));
      copied.then(() => say("copied"), () => say(document.execCommand("copy") ? "copied" : "marked: copy it with Ctrl-C"));
    },
  }, "copy");
  const say = (done) => {
    button.textContent = done;
    setTimeout(() => { button.textContent = "copy"; }, 2000);
  };
  return element("div", { class: "command" }, code, button);
}

/** A colour of the style sheet, for what is drawn without it: "--ink". */
function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of the n-th series; neighbours differ for all eyes, and in grey. */
function seriesColour(series) {
  return `--series-${series % 16}`;
}

const DASHES = [[], [8, 4], [2, 3]]; // of lines

function dashesOf(series) {
  return Math.floor(series / 16) % DASHES.length;
}

/** The colour of the n-th series, in stripes if its line has dashes. */
function seriesSwatch(series) {
  const colour = `var(${seriesColour(series)})`;
  const [drawn, left] = DASHES[dashesOf(series)];
  const fill = drawn ? `repeating-linear-gradient(90deg, ${colour} 0 ${drawn / 2}px, transparent 0 ${(drawn + left) / 2}px)` : colour;
  return element("span", { class: "swatch", style: `background: ${fill}` });
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
