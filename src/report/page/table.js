/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The table of points: sorts them, and shows the first.
 */

const ROW_HEIGHT = 30; // pixels, as in the style sheet
const MOST_ROWS = 1000;

class PointTable {
  /**
   * @param columns shown at first
   * @param more {title, cell(row)} columns of elements @param onchoose takes a row
   */
  constructor(results, { columns, more = [], onchoose }) {
    Object.assign(this, { results, columns, more, onchoose, rows: results.all, order: results.all, chosen: -1, sorted: null, isExact: false });
    this.nodes = new Map(); // of the rows that are shown, in their order
    this.head = element("tr");
    this.body = element("tbody");
    this.sizes = element("colgroup");
    this.table = element("table", { class: "points", role: "grid", "aria-labelledby": "points-title" }, this.sizes, element("thead", {}, this.head), this.body);
    this.rest = element("p", { class: "note" });
    this.node = element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "points: arrow keys choose a row" }, this.table, this.rest);
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.showHead();
  }

  /** @param changes {columns, isExact: figures as they stand in CSV, or in a unit that suits the column} */
  set(changes) {
    Object.assign(this, changes);
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
      this.order = [...has.sort((a, b) => sign * column.compare(a, b) || a - b), ...hasNot];
    }
    this.node.scrollTop = 0;
    this.show();
  }

  unitOf(column) {
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
  }

  show() {
    const shown = this.order.slice(0, MOST_ROWS);
    const left = this.order.length - shown.length;
    this.nodes = new Map(shown.map((row) => [row, this.rowNode(row)]));
    this.body.replaceChildren(...this.nodes.values());
    this.rest.textContent = left > 0 ? `${counted(left, "more row")}: sort or filter to see them` : "";
  }

  rowNode(row) {
    const { results } = this;
    const number = results.pointNumber(row);
    const link = element("a", { href: "#point", tabindex: "-1", title: "the point, and its inca run command" }, number);
    const cells = this.columns.map((column) => element("td", { class: column.isNumeric ? "number" : "", title: column.text(row) }, this.cellText(column, row)));
    const node = element("tr", { "data-row": row, class: results.isDone(row) ? "" : "not-done", "aria-selected": String(row === this.chosen) },
      element("td", { class: "first" }, link), cells, this.more.map((one) => element("td", {}, one.cell(row))));
    node.addEventListener("click", () => this.onchoose(row));
    return node;
  }

  /** Marks a row, and brings it into view. */
  choose(row) {
    this.nodes.get(this.chosen)?.setAttribute("aria-selected", "false");
    this.chosen = row;
    const chosen = this.nodes.get(row);
    if (chosen) {
      chosen.setAttribute("aria-selected", "true");
      const { node } = this;
      const lowest = chosen.offsetTop - this.head.offsetHeight;
      const highest = chosen.offsetTop + ROW_HEIGHT + 16 - node.clientHeight;
      node.scrollTop = Math.min(lowest, Math.max(node.scrollTop, highest));
    }
  }

  key(event) {
    const order = [...this.nodes.keys()];
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
