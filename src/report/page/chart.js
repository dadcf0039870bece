/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The main chart: what is drawn over what, and what sets series apart.
 */

const MOST_SERIES = 16;
const MOST_BARS = 120;
const NO_FIGURES = ["point", "seed", "trace_crc32", "inca_version", "ns3_version"]; // though they may be numbers
const MOST_CROSSINGS = 30;
const REST = ""; // of the choice of series: all that varies and is not x

/** Means of the rows of each series at each x, in the units of the columns. */
function collectCells(rows, results, x, y, apart) {
  const places = new Map();
  const series = new Map();
  for (const row of rows) {
    const xText = x.text(row);
    if (x.isNumeric && xText === "") {
      continue; // it does not apply
    }
    const key = apart.map((column) => column.text(row)).join("\n");
    const name = apart.map((column) => column.named(column.text(row))).filter((part) => part !== "-").join(", ");
    const one = series.get(key) || { name, texts: key.split("\n"), cells: new Map() };
    series.set(key, one);
    places.set(xText, x.number(row));
    const cell = one.cells.get(xText) || { values: [], rows: [], notDone: "" };
    one.cells.set(xText, cell);
    cell.rows.push(row);
    if (!results.isDone(row)) {
      cell.notDone = results.status(row);
    } else if (!Number.isNaN(y.number(row))) {
      cell.values.push(y.number(row));
    }
  }
  const texts = [...places.keys()];
  if (x.isNumeric) {
    texts.sort((a, b) => places.get(a) - places.get(b));
  }
  return { texts, numbers: texts.map((text) => places.get(text)), series: [...series.values()] };
}

function drawnCell(cell, factor) {
  if (!cell) {
    return undefined;
  }
  const values = cell.values.map((value) => value * factor);
  const some = values.length > 0;
  return {
    rows: cell.rows,
    notDone: cell.notDone,
    y: some ? values.reduce((sum, value) => sum + value, 0) / values.length : null,
    least: some ? smallestOf(values) : NaN,
    most: some ? largestOf(values) : NaN,
  };
}

/** Two numbers that are one place must not be two: 10 and 10.0. */
function mergedCell(cells, texts) {
  const found = texts.map((text) => cells.get(text)).filter((cell) => cell);
  return found.length === 0 ? undefined : {
    values: found.flatMap((cell) => cell.values), rows: found.flatMap((cell) => cell.rows), notDone: found.map((cell) => cell.notDone).join(""),
  };
}

/** What a chart draws of the rows, in units that suit. @param choice {x, y, apart, xLog, yLog}: columns; "auto", "log" or "linear" */
function makePlot(rows, results, choice) {
  const { x, y, apart } = choice;
  const { texts, numbers, series } = collectCells(rows, results, x, y, apart);
  const shown = series.slice(0, MOST_SERIES);
  const values = shown.flatMap((one) => [...one.cells.values()].flatMap((cell) => cell.values));
  const xUnit = x.isNumeric ? unitFor(x.unit, numbers) : { unit: "", factor: 1 };
  const yUnit = unitFor(y.unit, values);
  const distinct = x.isNumeric ? [...new Set(numbers)] : texts;
  const textsOf = (place) => (x.isNumeric ? texts.filter((_, i) => numbers[i] === place) : [place]);
  const isLog = (wanted, all) => (wanted === "auto" ? suggestsLog(all) : wanted === "log" && all.every((value) => value > 0));
  const grouped = distinct.map(textsOf);
  const plot = {
    left: series.length - shown.length,
    empty: values.length === 0,
    x: { title: titleOf(x, xUnit.unit), words: wordsOf(x.name), unit: xUnit.unit, texts: distinct, isNumeric: x.isNumeric },
    y: { title: titleOf(y, yUnit.unit), unit: yUnit.unit, isLog: isLog(choice.yLog, values) },
    series: shown.map((one) => ({ name: one.name, texts: one.texts, cells: grouped.map((group) => drawnCell(mergedCell(one.cells, group), yUnit.factor)) })),
    crossings: [],
  };
  if (x.isNumeric) {
    plot.x.values = distinct.map((value) => value * xUnit.factor);
    plot.x.isLog = isLog(choice.xLog, distinct);
    const all = allCrossings(plot);
    plot.crossingsLeft = all.length > MOST_CROSSINGS ? all.length : 0; // as many say nothing
    plot.crossings = plot.crossingsLeft > 0 ? [] : all;
  }
  return plot;
}

/** Of every two series that differ in one thing. */
function allCrossings(plot) {
  const areAlike = (a, b) => a.texts.filter((text, i) => text !== b.texts[i]).length === 1;
  const points = plot.series.map((series) => plot.x.values.map((x, i) => [x, series.cells[i]])
    .filter(([, cell]) => cell && Number.isFinite(cell.y)).map(([x, cell]) => [x, cell.y]));
  const found = [];
  for (let a = 0; a < points.length; ++a) {
    for (let b = a + 1; b < points.length; ++b) {
      const some = areAlike(plot.series[a], plot.series[b]) ? crossings(points[a], points[b], plot.x.isLog, plot.y.isLog) : [];
      for (const [x, y, isBelow] of some) {
        found.push({ a, b, x, y, isBelow });
      }
    }
  }
  return found;
}

/** Bars over names. */
function drawBars(host, plot, onchoose) {
  const cells = plot.series.flatMap((series) => series.cells).filter((cell) => cell && Number.isFinite(cell.y));
  const most = largestOf(cells.map((cell) => cell.y));
  const rows = plot.x.texts.flatMap((text, place) => [
    element("h3", {}, text || "-"),
    ...plot.series.map((series, i) => [series, series.cells[place], i]).filter(([, cell]) => cell).map(([series, cell, i]) => {
      const value = Number.isFinite(cell.y) ? cell.y : 0;
      const drawn = bar([{ name: series.name || text, value, colour: seriesColour(i), text: cellText(cell) }], most, cellText(cell));
      const name = element("button", { type: "button", class: "link", onclick: () => onchoose(cell.rows[0]) }, series.name || text);
      return barRow(name, drawn, cellText(cell) + (Number.isFinite(cell.y) && plot.y.unit ? ` ${plot.y.unit}` : ""));
    }),
  ]);
  host.append(element("p", { class: "axis-title" }, plot.y.title), ...rows.slice(0, MOST_BARS),
    rows.length > MOST_BARS ? element("p", { class: "note" }, "more bars than fit: filter the points") : "");
}

class Chart {
  constructor(results, onchoose) {
    Object.assign(this, { results, onchoose, rows: results.all, lines: null });
    this.choice = this.usualChoice();
    this.controls = element("div", { class: "controls" });
    this.canvas = element("div", { class: "chart", tabindex: "0", role: "group", "aria-label": "chart: arrow keys go from point to point, Enter shows the point" });
    this.legend = element("div", { class: "series" });
    this.crossings = element("div", { id: "crossovers" });
    this.node = section("chart", "Results", this.controls, this.legend, this.canvas, this.crossings);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.lines && this.lines.uplot.redraw());
    this.showControls();
  }

  /** Over the numbers of which there are most, else over the first names. */
  usualChoice() {
    const { results } = this;
    const numeric = results.varied.filter((column) => column.isNumeric);
    const most = numeric.reduce((best, column) => (!best || column.texts.length > best.texts.length ? column : best), null);
    const x = most || results.varied[0] || results.columns.find((column) => column.varies) || results.columns[0];
    return { x: x.name, y: "iteration_time_s", series: REST, xLog: "auto", yLog: "auto" };
  }

  /** Columns that may be drawn over, and that may be drawn. */
  columns(filter) {
    return this.results.columns.filter(filter).map((column) => [column.name, titleOf(column)]);
  }

  showControls() {
    const { results, choice: now } = this;
    const set = (name) => (value) => {
      this.choice[name] = value;
      this.update(this.rows);
    };
    const isFigure = (column) => !column.isSetting && column.isNumeric && !NO_FIGURES.includes(column.name);
    const varied = results.varied.map((column) => [column.name, titleOf(column)]);
    const others = this.columns((column) => column.varies && column.isNumeric && !results.varied.includes(column) && (!NO_FIGURES.includes(column.name) || column.name === "point" || column.name === "seed"));
    const scales = [["auto", "as suits"], ["linear", "linear"], ["log", "logarithmic"]];
    this.controls.append(
      choice("draw", this.columns(isFigure), now.y, set("y"), "chart-y"),
      choice("over", { varied, others }, now.x, set("x"), "chart-x"),
      choice("series by", [[REST, "all else that varies"], ["-", "nothing"], ...varied], now.series, set("series"), "chart-series"),
      choice("vertical", scales, now.yLog, set("yLog"), "chart-y-scale"),
      choice("horizontal", scales, now.xLog, set("xLog"), "chart-x-scale"));
  }

  apart() {
    const { results, choice } = this;
    if (choice.series === REST) {
      return results.varied.filter((column) => column.name !== choice.x);
    }
    return choice.series === "-" ? [] : [results.column(choice.series)];
  }

  /** Draws these rows. */
  update(rows) {
    this.rows = rows;
    const { results, choice } = this;
    if (this.lines) {
      this.lines.destroy();
      this.lines = null;
    }
    this.canvas.replaceChildren();
    this.plot = makePlot(rows, results, { ...choice, x: results.column(choice.x), y: results.column(choice.y), apart: this.apart() });
    if (this.plot.empty) {
      this.canvas.append(element("p", { class: "note" }, "none of the points that the filter leaves has such a result"));
    } else if (this.plot.x.isNumeric) {
      this.lines = new LineChart(this.canvas, this.plot, this.onchoose);
    } else {
      drawBars(this.canvas, this.plot, this.onchoose);
    }
    this.showLegend();
    this.showCrossings();
  }

  /** A button for each series, which hides it. */
  showLegend() {
    const { plot } = this;
    const button = (series, i) => {
      const node = element("button", { type: "button", "aria-pressed": "true", disabled: !this.lines },
        element("span", { class: "swatch", style: `background: var(${seriesColour(i)})` }), series.name);
      node.addEventListener("click", () => {
        const isShown = node.getAttribute("aria-pressed") === "false";
        node.setAttribute("aria-pressed", String(isShown));
        this.lines.uplot.setSeries(i + 1, { show: isShown });
      });
      return node;
    };
    const named = plot.series.some((series) => series.name !== "");
    const statuses = [...new Set(plot.series.flatMap((series) => series.cells.map((cell) => (cell ? cell.notDone : ""))))].filter((text) => text);
    this.legend.replaceChildren(...(named ? plot.series.map(button) : []),
      this.lines && statuses.length > 0 ? element("span", { class: "note" }, `× at the bottom: ${statuses.join(", ")}`) : "",
      plot.left > 0 ? element("span", { class: "note" }, `and ${plot.left} more: filter the points, or choose other series`) : "");
  }

  showCrossings() {
    const { plot } = this;
    const unit = (one) => (one ? ` ${one}` : "");
    const entry = (one) => {
      const [below, above] = one.isBelow ? [one.a, one.b] : [one.b, one.a];
      return element("li", {}, `${plot.series[below].name} goes below ${plot.series[above].name} at `,
        element("strong", {}, shortFigure(one.x) + unit(plot.x.unit)), ` (${shortFigure(one.y)}${unit(plot.y.unit)})`);
    };
    this.crossings.replaceChildren(...(plot.crossings.length === 0 && !plot.crossingsLeft ? [] : [
      element("h3", {}, "Crossovers"),
      element("p", { class: "note" }, `Where these lines cross, over ${plot.x.words}; between points they are straight, and inca crossover searches.`),
      element("ul", {}, plot.crossings.map(entry)),
      plot.crossingsLeft > 0 ? element("p", { class: "note" }, `${plot.crossingsLeft.toLocaleString("en")} crossovers, too many to mark: filter the points`) : "",
    ]));
  }
}
