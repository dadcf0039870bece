/*
 * SPDX-License-Identifier: GPL-2.0-only
 * A validation: predicted beside published, and errors against limits.
 */

const UNITS_OF_FIGURES = { x: "x", "%": "%" };

function comparedFigure(number, unit) {
  if (Number.isNaN(number)) {
    return "-";
  }
  return unit in UNITS_OF_FIGURES ? `${shortFigure(number)} ${unit}` : figure(number, { "Gb/s": "Gbit/s", "Mvalues/s": "" }[unit] ?? unit) + (unit === "Mvalues/s" ? " Mvalues/s" : "");
}

/** A comparison: its error as it is counted, and its limit likewise. */
function comparison(results, row) {
  const n = (name) => results.number(name, row);
  const kinds = [["error_sd", "limit_sd", "sd"], ["error_points", "limit_percent", "points"], ["error_percent", "limit_percent", "%"]];
  const [error, limit, unit] = kinds.find(([name]) => !Number.isNaN(n(name))) || kinds[2];
  return {
    row, error: n(error), limit: n(limit), errorUnit: unit, verdict: results.text("verdict", row), unit: results.text("unit", row),
    predicted: n("predicted"), from: n("published_from"), to: n("published_to"),
    source: results.text("published_source", row),
    name: ["model", "system", "figure"].map((column) => results.text(column, row)).filter((text) => text).join(", "),
  };
}

function publishedText(one) {
  return one.from === one.to || Number.isNaN(one.to) ? comparedFigure(one.from, one.unit) : `${shortFigure(one.from)} to ${comparedFigure(one.to, one.unit)}`;
}

/** Predicted above published, on one scale. */
function comparedBars(one) {
  const most = Math.max(one.predicted, one.to || 0);
  const line = (name, value, colour, text) => bar([{ name, value: Math.max(value, 0) || 0, colour, text }], most, `${name} ${text}`);
  return element("div", { class: "pair" },
    line("predicted", one.predicted, "--series-0", comparedFigure(one.predicted, one.unit)),
    Number.isNaN(one.to) ? "" : line("published", one.to, "--published", publishedText(one)));
}

/** The error between its limits: a mark on a scale from -1.5 to 1.5 limits. */
function errorMark(one) {
  if (Number.isNaN(one.limit)) {
    return "";
  }
  const share = Math.max(-1.5, Math.min(1.5, one.error / one.limit));
  const x = 50 + (share / 1.5) * 46;
  const limit = 46 / 1.5;
  const isMiss = one.verdict === "MISS";
  return drawing("svg", { class: "error", viewBox: "0 0 100 14", role: "img", "aria-label": `${one.verdict}: error ${shortFigure(one.error)} of ${shortFigure(one.limit)} ${one.errorUnit}` },
    drawing("rect", { x: 50 - limit, y: 2, width: 2 * limit, height: 10, class: "within" }),
    drawing("line", { x1: 50, x2: 50, y1: 1, y2: 13, class: "tick" }),
    isMiss
      ? drawing("path", { d: `M${x - 4} 3 l8 8 m0 -8 l-8 8`, class: "miss" })
      : drawing("circle", { cx: x, cy: 7, r: 3.5, class: "hit" }));
}

function errorText(one) {
  const limit = Number.isNaN(one.limit) ? "" : ` of ${shortFigure(one.limit)}`;
  return Number.isNaN(one.error) ? "-" : `${one.error > 0 ? "+" : ""}${shortFigure(one.error)}${limit} ${one.errorUnit}`;
}

function judgedSection(results) {
  const all = results.all.map((row) => comparison(results, row)).filter((one) => one.verdict !== "");
  const misses = all.filter((one) => one.verdict === "MISS");
  const rows = (some) => some.map((one) => [one.name, comparedFigure(one.predicted, one.unit), publishedText(one), errorText(one),
    one.verdict === "MISS" ? element("strong", { class: "miss" }, "MISS") : one.verdict, comparedBars(one), errorMark(one), element("span", { class: "note" }, one.source)]);
  const names = [...new Set(all.map((one) => results.text("validation", one.row)))];
  return section("judged", "Predicted beside published",
    element("p", { id: "counts" }, `${counted(all.length, "figure")} judged, `, misses.length > 0 ? element("strong", { class: "miss" }, `${misses.length} MISS`) : "none misses"),
    colourLegend([{ name: "predicted", colour: "--series-0" }, { name: "published", colour: "--published" }]),
    element("p", { class: "note" }, "The mark is the error, the band its limits."),
    names.map((name) => {
      const some = all.filter((one) => results.text("validation", one.row) === name);
      const known = results.validations.find((one) => one.name === name);
      return element("div", {}, element("h3", {}, known ? `${name}: ${known.title}` : name),
        smallTable(["figure", "predicted", "published", "error", "", "", "", "source"], rows(some), "judged"));
    }));
}
