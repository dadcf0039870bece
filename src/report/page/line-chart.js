/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Lines over numbers, drawn by uPlot.
 *
 * A plot is {x: {title, isLog, values}, y: {title, isLog}, series}; a series {name, cells}, by the
 * number of its x {y, least, most, rows, notDone}; y is undefined where it was not simulated, and null
 * where there is no result.
 */

function yValues(plot) {
  return plot.series.flatMap((series) => series.cells.flatMap((cell) => (cell && Number.isFinite(cell.y) ? [cell.least, cell.most] : [])));
}

class LineChart {
  /** @param onchoose takes a row */
  constructor(host, plot, onchoose) {
    Object.assign(this, { host, plot, onchoose, at: null, focused: 0 });
    this.tip = element("div", { class: "tip", hidden: true });
    this.draw();
    host.append(this.tip);
    host.onkeydown = (event) => this.key(event);
    host.onclick = (event) => {
      if (event.target.closest(".u-over")) {
        this.choose();
      }
    };
    this.observer = new ResizeObserver(() => this.uplot.setSize(this.size()));
    this.observer.observe(host);
  }

  destroy() {
    this.observer.disconnect();
    this.uplot.destroy();
    this.tip.remove();
  }

  size() {
    const width = Math.max(this.host.clientWidth, 240);
    return { width, height: Math.round(Math.min(440, Math.max(260, width * 0.5))) };
  }

  draw() {
    const { x, y, series } = this.plot;
    const ink = () => colourOf("--ink");
    const axis = (title, isLog, more) => ({
      stroke: ink, label: title, labelSize: 22, font: "12px system-ui, sans-serif", labelFont: "13px system-ui, sans-serif",
      grid: { stroke: () => colourOf("--grid"), width: 1 }, ticks: { stroke: () => colourOf("--grid"), width: 1, size: 5 },
      values: (_, ticks) => ticks.map(shortFigure), filter: (_, ticks) => ticks, ...more,
    });
    const yRange = rangeOf(yValues(this.plot), y.isLog, true);
    const xRange = rangeOf(x.values, x.isLog, false);
    const ticksOf = (isLog, size) => (u, axisIndex, from, to) =>
      isLog ? logTicks(from, to) : linearTicks(from, to, Math.round((axisIndex === 0 ? u.bbox.width : u.bbox.height) / devicePixelRatio / size));
    const options = {
      ...this.size(),
      scales: {
        x: { time: false, distr: x.isLog ? 3 : 1, range: () => xRange },
        y: { distr: y.isLog ? 3 : 1, range: () => yRange },
      },
      axes: [
        axis(x.title, x.isLog, { size: 34, splits: (u, i, from, to) => this.places(u) || ticksOf(x.isLog, 70)(u, i, from, to) }),
        axis(y.title, y.isLog, { size: 58, splits: ticksOf(y.isLog, 45) }),
      ],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, focus: { prox: 1e4 }, points: { size: 9 } },
      focus: { alpha: 0.35 },
      series: [{}, ...series.map((one, i) => ({
        label: one.name, stroke: () => colourOf(seriesColour(i)), width: 2, dash: DASHES[dashesOf(i)],
        points: { show: x.values.length <= 80, size: 7, fill: () => colourOf(seriesColour(i)) },
      }))],
      hooks: {
        draw: [(u) => this.drawSpreads(u)],
        setCursor: [(u) => this.moved(u)],
        setSeries: [(u, i) => { if (i !== null && i > 0) { this.focused = i - 1; } }],
      },
    };
    const data = [x.values, ...series.map((one) => one.cells.map((cell) => (cell ? cell.y : undefined)))];
    this.uplot = new uPlot(options, data, this.host);
  }

  /** Ticks where something was simulated, as many as there is room for. */
  places(u) {
    const room = 38;
    let last = -room;
    const kept = this.plot.x.values.filter((value) => {
      const at = u.valToPos(value, "x");
      const fits = at - last >= room;
      last = fits ? at : last;
      return fits;
    });
    return this.plot.x.values.length <= 16 ? kept : null;
  }

  /** From least to most of several runs. */
  drawSpreads(u) {
    const context = u.ctx;
    context.save();
    context.lineWidth = 1.5 * devicePixelRatio;
    this.plot.series.forEach((series, i) => {
      context.strokeStyle = colourOf(seriesColour(i));
      context.beginPath();
      series.cells.forEach((cell, place) => {
        if (cell && cell.most > cell.least && u.series[i + 1].show) {
          const x = u.valToPos(this.plot.x.values[place], "x", true);
          context.moveTo(x, u.valToPos(cell.least, "y", true));
          context.lineTo(x, u.valToPos(cell.most, "y", true));
        }
      });
      context.stroke();
    });
    context.restore();
  }

  /** The cursor has moved: says what is there. */
  moved(u) {
    this.at = u.cursor.idx;
    const cells = this.plot.series.map((series, i) => [series, series.cells[this.at], i])
      .filter(([, cell, i]) => cell && u.series[i + 1].show);
    this.tip.hidden = this.at === null || this.at === undefined || cells.length === 0 || u.cursor.left < 0;
    if (this.tip.hidden) {
      return;
    }
    const row = ([series, cell, i]) => element("tr", { class: i === this.focused ? "focused" : "" },
      element("td", {}, seriesSwatch(i)),
      element("td", {}, series.name || "value"),
      element("td", { class: "number" }, cellText(cell)));
    this.tip.replaceChildren(
      element("strong", {}, `${this.plot.x.words} ${shortFigure(this.plot.x.values[this.at])}${this.plot.x.unit ? ` ${this.plot.x.unit}` : ""}`),
      element("table", {}, element("tbody", {}, cells.map(row))));
    const left = u.over.offsetLeft + u.cursor.left;
    const room = this.host.clientWidth - this.tip.offsetWidth;
    const beside = left + 16 + this.tip.offsetWidth <= this.host.clientWidth ? left + 16 : left - 16 - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(beside, room))}px`;
    this.tip.style.top = `${u.over.offsetTop + 4}px`;
  }

  /** Arrows move the cursor from point to point. */
  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Enter") {
      this.choose();
    } else if (event.key === "Escape") {
      this.tip.hidden = true;
    } else if (step) {
      event.preventDefault();
      this.step(...step);
    }
  }

  step(dx, dSeries) {
    const { x, series } = this.plot;
    const place = Math.max(0, Math.min(x.values.length - 1, (this.at ?? (dx > 0 ? -1 : 0)) + dx));
    for (let tries = 0; tries < series.length && dSeries !== 0; ++tries) {
      this.focused = (this.focused + dSeries + series.length) % series.length;
      const cell = series[this.focused].cells[place];
      if (cell && Number.isFinite(cell.y)) {
        break;
      }
    }
    const cell = series[this.focused].cells[place];
    const y = cell && Number.isFinite(cell.y) ? cell.y : yValues(this.plot)[0];
    this.uplot.setCursor({ left: this.uplot.valToPos(x.values[place], "x"), top: this.uplot.valToPos(y, "y") });
  }

  choose() {
    const series = this.plot.series[this.focused];
    const cell = this.at === null || this.at === undefined ? null : series.cells[this.at];
    if (cell) {
      this.onchoose(cell.rows[0]);
    }
  }
}

/** "596.2", "596.2 (590 to 601, 5 runs)", "refused" */
function cellText(cell) {
  if (!Number.isFinite(cell.y)) {
    return cell.notDone || "none";
  }
  const spread = cell.rows.length > 1 ? ` (${shortFigure(cell.least)} to ${shortFigure(cell.most)}, ${cell.rows.length} runs)` : "";
  return shortFigure(cell.y) + spread + (cell.notDone ? `, others ${cell.notDone}` : "");
}
