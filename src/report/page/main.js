/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Puts the page together.
 */

/** "sweep alexnet" */
function showHeader(results) {
  const kinds = { run: "run", sweep: "sweep", rows: "results", validation: "validation" };
  document.getElementById("header").append(
    element("div", {}, element("p", { class: "kind" }, `INCA ${kinds[results.kind]}`), element("h1", {}, results.title)),
    themeButton());
}

/** Columns that a table shows at first. */
function usualColumns(results) {
  const statuses = results.column("status");
  const gains = ["gain", "gain_16bit"].filter((name) => results.column(name) && results.column(name).texts.some((text) => text !== ""));
  const named = results.kind === "validation"
    ? ["validation", "model", "system", "figure", "unit", "predicted", "published_from", "published_to", "error_percent", "verdict"]
    : [...(statuses && statuses.texts.some((text) => text !== "done") ? ["status"] : []), "iteration_time_s", "communication_s", "aggregation_throughput_gbps", ...gains, "limited_by"];
  return [...new Set([...results.varied, ...named.map((name) => results.column(name)).filter((column) => column)])];
}

/** Boxes to choose the table's columns with. */
function columnChooser(results, table) {
  const shown = new Set(table.columns);
  const box = (column) => element("label", { title: column.meaning }, element("input", {
    type: "checkbox", checked: shown.has(column), onchange: (event) => {
      if (event.target.checked) {
        shown.add(column);
      } else {
        shown.delete(column);
      }
      table.setColumns([...shown]);
    },
  }), column.name);
  return element("details", { id: "columns" }, element("summary", {}, "columns"), element("div", { class: "boxes" }, results.columns.map(box)));
}

/** The table with its filter. @param example of a filter @param onrows takes the rows that are left */
function pointsSection(results, title, example, table, onrows) {
  const says = element("span", { id: "filtered", role: "status" });
  const filter = element("input", { id: "filter", type: "search", placeholder: example, "aria-describedby": "filter-help", autocomplete: "off", spellcheck: "false" });
  const apply = () => {
    const { test, problem } = parseFilter(results, filter.value);
    const rows = results.all.filter(test);
    says.textContent = problem || (rows.length === results.count ? counted(rows.length, "row") : `${rows.length.toLocaleString("en")} of ${counted(results.count, "row")}`);
    says.className = problem ? "problem" : "";
    table.setRows(rows);
    onrows(rows);
  };
  let waits = 0;
  filter.addEventListener("input", () => {
    clearTimeout(waits);
    waits = setTimeout(apply, 80);
  });
  const exact = element("label", { class: "check" }, element("input", { id: "exact", type: "checkbox", onchange: (event) => table.setExact(event.target.checked) }), "as in CSV");
  const node = section("points", title,
    element("div", { class: "controls" }, element("label", { class: "choice" }, element("span", {}, "filter"), filter), says, exact),
    element("p", { class: "note", id: "filter-help" }, "Words that a row holds, and conditions on columns: =, !=, <, <=, >, >=; with \"quotes\" around what holds blanks."),
    table.node, columnChooser(results, table));
  return { node, apply, set: (text) => { filter.value = text; apply(); } };
}

/** Where the time of the table's first rows goes, and what limits them. */
class Times {
  constructor(results, onchoose, onlimit) {
    Object.assign(this, { results, onchoose, onlimit, most: 25 });
    this.list = element("div");
    this.limits = element("div", { class: "series" });
    this.node = section("times", "Where the time goes", this.limits, shareLegend(results), this.list);
  }

  update(rows) {
    const { results } = this;
    this.rows = rows;
    const done = rows.filter((row) => results.isDone(row));
    const shown = done.slice(0, this.most);
    const longest = Math.max(largestOf(shown.map((row) => sharesOf(results, row).reduce((sum, part) => sum + part.seconds, 0))), 0);
    const line = (row) => barRow(
      element("a", { href: "#point", onclick: () => this.onchoose(row) }, results.count > 1 ? results.rowName(row) : results.title),
      shareBar(results, row, longest),
      `${figure(results.number("iteration_time_s", row), "s")}, ${results.text("limited_by", row)}`);
    const more = element("button", { type: "button", onclick: () => { this.most += 100; this.update(this.rows); } }, "show more");
    this.list.replaceChildren(...shown.map(line), done.length > shown.length
      ? element("p", { class: "note" }, `The first ${shown.length} of ${counted(done.length, "point")} as the table has them. `, more) : "");
    this.showLimits(done);
  }

  /** How many points each limit limits; a button leaves these. */
  showLimits(rows) {
    const counts = new Map();
    rows.forEach((row) => counts.set(this.results.text("limited_by", row), (counts.get(this.results.text("limited_by", row)) || 0) + 1));
    const button = ([limit, count]) => element("button", { type: "button", onclick: () => this.onlimit(limit) }, `${limit || "nothing"}: ${count.toLocaleString("en")}`);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    this.limits.replaceChildren(...(this.results.count > 1 && rows.length > 0 ? [element("span", {}, "limited by"), ...sorted.map(button)] : []));
  }
}

function showResults(content, results) {
  const point = element("section", { id: "point", "aria-labelledby": "point-title" });
  let chosen = -1;
  const choose = (row) => {
    if (row !== chosen) {
      chosen = row;
      showPoint(point, results, row);
    }
    table.choose(row);
  };
  const goTo = (row) => {
    choose(row);
    location.hash = "#point";
  };
  const times = new Times(results, choose, (limit) => points.set(`limited_by="${limit}"`));
  const longest = largestOf(results.all.map((row) => results.number("iteration_time_s", row)));
  const table = new PointTable(results, {
    columns: usualColumns(results),
    more: [{ title: "time", width: "6.5em", cell: (row) => (results.isDone(row) ? shareBar(results, row, longest) : "") }],
    onchoose: choose,
    onorder: (rows) => times.update(rows),
  });
  const chart = results.count > 1 && results.all.some((row) => results.isDone(row)) ? new Chart(results, goTo) : null;
  const points = pointsSection(results, "Points", "ring workers>=8", table, (rows) => chart && chart.update(rows));
  const parts = results.count > 1
    ? [askedSection(results), ...(chart ? [chart.node] : []), points.node, point, times.node]
    : [point, askedSection(results)];
  content.replaceChildren(...parts, warningSection(results, choose), originSection(results));
  points.apply();
  choose(results.all.find((row) => results.isDone(row)) ?? 0);
}

function showValidation(content, results) {
  const table = new PointTable(results, {
    columns: usualColumns(results),
    more: [{ title: "predicted, published", width: "9em", cell: (row) => comparedBars(comparison(results, row)) }],
    onchoose: (row) => table.choose(row),
  });
  const points = pointsSection(results, "All figures", "alexnet verdict=MISS", table, () => {});
  content.replaceChildren(
    judgedSection(results),
    results.command ? section("asked", "What was asked", commandLine(results.command)) : "",
    points.node, tablesSection(results), originSection(results));
  points.apply();
}

function main() {
  const results = new Results(JSON.parse(document.getElementById("results").textContent));
  const content = document.getElementById("content");
  showHeader(results);
  if (results.kind === "validation") {
    showValidation(content, results);
  } else {
    showResults(content, results);
  }
}
