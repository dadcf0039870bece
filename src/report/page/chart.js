/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The main chart: what is drawn over what, and what sets series apart.
 */

const MOST_SERIES = 48; // of 16 colours and 3 kinds of dashes
const MOST_BARS = 120;
const NO_FIGURES = ["point", "seed", "trace_crc32", "inca_version", "ns3_version"]; // though they may be numbers
const REST = ""; // of the choice of series: all that varies and is not x

/** The rows of each series at each place of x: places in their order, and series {name, cells by place}. */
function collectCells(rows, results, x, y, apart) {
  const places = new Set();
  const series = new Map();
  for (const row of rows) {
    const place = x.isNumeric ? x.number(row) : x.text(row);
    if (Number.isNaN(place)) {
      continue; // it does not apply
    }
    const key = apart.map((column) => column.text(row)).join("\n");
    const name = apart.map((column) => column.named(row)).filter((part) => part !== "").join(", ");
    const one = series.get(key) || { name, cells: new Map() };
    const cell = one.cells.get(place) || { values: [], rows: [], notDone: "" };
    series.set(key, one);
    places.add(place);
    one.cells.set(place, cell);
    cell.rows.push(row);
    if (!results.isDone(row)) {
      cell.notDone = results.status(row);
    } else if (!Number.isNaN(y.number(row))) {
      cell.values.push(y.number(row));
    }
  }
  return { places: x.isNumeric ? [...places].sort((a, b) => a - b) : [...places], series: [...series.values()] };
}

/** Means, in the unit that is drawn. */
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

/** What a chart draws of the rows, in units that suit. @param choice {x, y, apart, xLog, yLog}: columns; "auto", "log" or "linear" */
function makePlot(rows, results, choice) {
  const { x, y, apart } = choice;
  const { places, series } = collectCells(rows, results, x, y, apart);
  const shown = series.slice(0, MOST_SERIES);
  const values = shown.flatMap((one) => [...one.cells.values()].flatMap((cell) => cell.values));
  const xUnit = x.isNumeric ? unitFor(x.unit, places) : { unit: "", factor: 1 };
  const yUnit = unitFor(y.unit, values);
  const isLog = (wanted, all) => (wanted === "auto" ? suggestsLog(all) : wanted === "log" && all.every((value) => value > 0));
  return {
    left: series.length - shown.length,
    empty: values.length === 0,
    x: {
      title: titleOf(x, xUnit.unit), words: x.words, unit: xUnit.unit, isNumeric: x.isNumeric, places,
      values: x.isNumeric ? places.map((value) => value * xUnit.factor) : [], isLog: x.isNumeric && isLog(choice.xLog, places),
    },
    y: { title: titleOf(y, yUnit.unit), unit: yUnit.unit, isLog: isLog(choice.yLog, values) },
    series: shown.map((one) => ({ name: one.name, cells: places.map((place) => drawnCell(one.cells.get(place), yUnit.factor)) })),
  };
}

/** Where two lines that are neighbours change places: "ring and switch between 20 and 28 Gbit/s" each. */
function crossingsOf({ x, series }) {
  const texts = [];
  for (let place = 1; place < x.values.length; ++place) {
    const value = (one, at) => one.cells[at].y;
    const whole = series.filter((one) => [place - 1, place].every((at) => Number.isFinite(one.cells[at]?.y)));
    const order = (at) => [...whole].sort((a, b) => value(a, at) - value(b, at));
    const before = order(place - 1);
    const after = order(place);
    for (let i = 1; i < before.length; ++i) {
      const [a, b] = [before[i - 1], before[i]];
      const [first, last] = [place - 1, place].map((at) => value(b, at) - value(a, at));
      if (after.indexOf(a) === after.indexOf(b) + 1 && first > 0 && last < 0) {
        const [from, to] = [place - 1, place].map((at) => shortFigure(x.values[at]));
        texts.push(`${a.name} and ${b.name} between ${from} and ${to}${x.unit && ` ${x.unit}`}`);
      }
    }
  }
  return texts;
}

/** Bars over names. */
function drawBars(host, plot, onchoose) {
  const cells = plot.series.flatMap((series) => series.cells).filter((cell) => cell && Number.isFinite(cell.y));
  const most = largestOf(cells.map((cell) => cell.y));
  const rows = plot.x.places.flatMap((text, place) => [
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
    this.node = section("chart", "Results", this.controls, this.legend, this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.lines && this.lines.uplot.redraw());
    this.showControls();
  }

  /** Trainings over their time; else over the numbers of which there are most, else over the first names. */
  usualChoice() {
    const { results } = this;
    if (results.column("training_time_s")) {
      return { x: "training_time_s", y: "accuracy", series: REST, xLog: "linear", yLog: "linear" };
    }
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
  }

  /** A button for each series, which hides it. */
  showLegend() {
    const { plot } = this;
    const button = (series, i) => {
      const node = element("button", { type: "button", "aria-pressed": "true", disabled: !this.lines },
        seriesSwatch(i), series.name);
      node.addEventListener("click", () => {
        const isShown = node.getAttribute("aria-pressed") === "false";
        node.setAttribute("aria-pressed", String(isShown));
        this.lines.uplot.setSeries(i + 1, { show: isShown });
      });
      return node;
    };
    const crossings = this.lines ? crossingsOf(plot) : [];
    const named = plot.series.some((series) => series.name !== "");
    this.legend.replaceChildren(...(named ? plot.series.map(button) : []),
      crossings.length > 0 ? element("span", { class: "note", id: "crossings" }, `cross: ${crossings.slice(0, 8).join("; ")}${crossings.length > 8 ? "; ..." : ""}`) : "",
      plot.left > 0 ? element("span", { class: "note" }, `and ${plot.left} more: filter the points, or choose other series`) : "");
  }
}
