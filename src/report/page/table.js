/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The table of all points: sorts, and holds elements only for the rows that can be seen.
 */

const ROW_HEIGHT = 30; // pixels, as in the style sheet
const ROWS_BEYOND = 20; // above and below what can be seen

class PointTable {
  /**
   * @param columns shown at first
   * @param more {title, cell(row)} columns of elements @param onchoose takes a row
   */
  constructor(results, { columns, more = [], onchoose }) {
    Object.assign(this, { results, columns, more, onchoose, rows: results.all, order: results.all, chosen: -1, sorted: null, isExact: false });
    this.nodes = new Map(); // of the rows that have elements
    this.head = element("tr", { "aria-rowindex": "1" });
    this.body = element("tbody");
    this.sizes = element("colgroup");
    this.table = element("table", { class: "points", role: "grid", "aria-labelledby": "points-title" }, this.sizes, element("thead", {}, this.head), this.body);
    this.node = element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "points: arrow keys choose a row" }, this.table);
    this.node.addEventListener("scroll", () => this.later());
    this.made = [0, 0]; // places of the rows that have elements: from, to
    this.node.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.later()).observe(this.node);
    this.showHead();
  }

  /** @param changes {columns, isExact: figures as they stand in CSV, or in a unit that suits the column} */
  set(changes) {
    Object.assign(this, changes);
    this.nodes.clear();
    this.showHead();
    this.show();
  }

  setRows(rows) {
    this.rows = rows;
    this.sort();
  }

  /** By a column, then the other way round, then not at all. */
  sortBy(column) {
    const isSame = this.sorted && this.sorted.column === column;
    this.sorted = isSame ? (this.sorted.isDown ? null : { column, isDown: true }) : { column, isDown: false };
    this.showHead();
    this.sort();
    this.head.querySelector(`[data-column="${column.index}"] button`)?.focus();
  }

  /** What has no value stands last, whichever way round. */
  sort() {
    this.order = this.rows;
    if (this.sorted) {
      const { column, isDown } = this.sorted;
      const sign = isDown ? -1 : 1;
      const has = this.rows.filter((row) => column.text(row) !== "");
      const hasNot = this.rows.filter((row) => column.text(row) === "");
      this.order = [...has.sort((a, b) => sign * (column.rank(a) - column.rank(b)) || a - b), ...hasNot];
    }
    this.node.scrollTop = 0;
    this.show();
  }

  unitOf(column) {
    if (!column.suiting) {
      column.suiting = column.isNumeric ? unitFor(column.unit, column.numbers) : { unit: "", factor: 1 };
    }
    return this.isExact ? { unit: column.unit, factor: 1 } : column.suiting;
  }

  cellText(column, row) {
    const text = column.text(row);
    return this.isExact || !column.isNumeric || text === "" ? text : shortFigure(column.number(row) * this.unitOf(column).factor);
  }

  titleOf(column) {
    return this.isExact ? column.name : titleOf(column, this.unitOf(column).unit);
  }

  showHead() {
    const width = (column) => {
      const longest = column.texts.slice(0, 500).reduce((most, text) => Math.max(most, text.length), 0);
      const text = column.isNumeric && !this.isExact ? 8 : 0.9 * longest;
      const title = this.titleOf(column);
      const words = title.split(/[ _]/).map((one) => 1.1 * one.length + 1); // on two lines, in bold
      return `${Math.min(Math.max(text, Math.ceil(title.length / 2) + 2, ...words), 32) + 2}ch`;
    };
    const cell = (column) => {
      const direction = this.sorted && this.sorted.column === column ? (this.sorted.isDown ? "descending" : "ascending") : "none";
      const arrow = { ascending: " ▲", descending: " ▼", none: "" }[direction];
      return element("th", { scope: "col", "aria-sort": direction, "data-column": column.index, class: column.isNumeric ? "number" : "", title: `${column.name}: ${column.meaning}` },
        element("button", { type: "button", onclick: () => this.sortBy(column) }, this.titleOf(column) + arrow));
    };
    this.sizes.replaceChildren(element("col", { style: "width: 4.5em" }), ...this.columns.map((column) => element("col", { style: `width: ${width(column)}` })),
      ...this.more.map((one) => element("col", { style: `width: ${one.width}` })));
    this.head.replaceChildren(element("th", { scope: "col", class: "first" }, "#"), ...this.columns.map(cell),
      ...this.more.map((one) => element("th", { scope: "col", class: "plain" }, one.title)));
    this.table.setAttribute("aria-rowcount", String(this.rows.length + 1));
  }

  /** Once before the next picture, however often it is asked for, and if a row that can be seen has no elements. */
  later() {
    this.waits = this.waits || requestAnimationFrame(() => {
      this.waits = 0;
      const [from, to] = this.seen(0);
      if (from < this.made[0] || to > this.made[1]) {
        this.show();
      }
    });
  }

  /** Places that can be seen, and some beyond: from, to. */
  seen(beyond) {
    const { node, order } = this;
    const from = Math.floor(node.scrollTop / ROW_HEIGHT) - beyond;
    const to = Math.ceil((node.scrollTop + node.clientHeight) / ROW_HEIGHT) + beyond;
    return [Math.max(0, from), Math.min(order.length, to)];
  }

  show() {
    const { order } = this;
    const [first, last] = this.seen(ROWS_BEYOND);
    this.made = [first, last];
    const space = (rows) => element("tr", { class: "space", "aria-hidden": "true", style: `height: ${rows * ROW_HEIGHT}px` });
    const rows = order.slice(first, last).map((row, i) => this.placed(this.nodes.get(row) || this.rowNode(row), row, first + i));
    this.nodes = new Map(order.slice(first, last).map((row, i) => [row, rows[i]]));
    this.table.setAttribute("aria-rowcount", String(order.length + 1));
    this.body.replaceChildren(space(first), ...rows, space(order.length - last));
  }

  placed(node, row, place) {
    node.setAttribute("aria-rowindex", place + 2);
    node.setAttribute("aria-selected", String(row === this.chosen));
    return node;
  }

  rowNode(row) {
    const { results } = this;
    const number = results.pointNumber(row);
    const link = results.kind === "validation" ? number : element("a", { href: "#point", tabindex: "-1", title: "the point, and its inca run command" }, number);
    const cells = this.columns.map((column) => element("td", { class: column.isNumeric ? "number" : "", title: column.text(row) }, this.cellText(column, row)));
    const node = element("tr", { "data-row": row, class: results.isDone(row) ? "" : "not-done" },
      element("td", { class: "first" }, link), cells, this.more.map((one) => element("td", {}, one.cell(row))));
    node.addEventListener("click", () => this.onchoose(row));
    return node;
  }

  /** Marks a row, and brings it into view. */
  choose(row) {
    this.chosen = row;
    const place = this.order.indexOf(row);
    if (place >= 0) {
      const { node } = this;
      const head = this.head.offsetHeight;
      const top = place * ROW_HEIGHT;
      if (top < node.scrollTop) {
        node.scrollTop = top;
      } else if (top + ROW_HEIGHT + head > node.scrollTop + node.clientHeight) {
        node.scrollTop = top + ROW_HEIGHT + head - node.clientHeight + 16;
      }
    }
    this.show();
  }

  key(event) {
    const { order } = this;
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW_HEIGHT) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -order.length, End: order.length };
    if (event.target !== this.node || order.length === 0) {
      return;
    }
    if (event.key in steps) {
      event.preventDefault();
      const place = order.indexOf(this.chosen);
      this.onchoose(order[Math.max(0, Math.min(order.length - 1, place + steps[event.key]))]);
    } else if (event.key === "Enter") {
      location.hash = "#point";
    }
  }
}
