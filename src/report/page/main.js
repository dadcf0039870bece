/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Puts the page together.
 */

/** "sweep alexnet" */
function showHeader(results) {
  document.getElementById("header").append(
    element("div", {}, element("p", { class: "kind" }, `INCA ${results.kind}`), element("h1", {}, results.title)));
}

/** Columns that a table shows at first. */
function usualColumns(results) {
  const statuses = results.column("status");
  const losses = results.column("loses");
  const named = [...(statuses && statuses.texts.some((text) => text !== "done") ? ["status"] : []), "iteration_time_s", "sum_vnmse", "training_time_s", "accuracy", "communication_s", "aggregation_throughput_gbps", "gain", ...(losses && losses.texts.some((text) => text && text !== "none") ? ["loses"] : []), "limited_by"];
  return [...new Set([...results.varied, ...named.map((name) => results.column(name)).filter((column) => column)])];
}

/** Boxes to choose the table's columns with. */
function columnChooser(results, table) {
  const shown = new Set(table.columns);
  const box = (column) => element("label", { title: column.meaning }, element("input", {
    type: "checkbox", checked: shown.has(column), onchange: (event) => {
      event.target.checked ? shown.add(column) : shown.delete(column);
      table.set({ columns: [...shown] });
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
  const exact = element("label", { class: "check" }, element("input", { id: "exact", type: "checkbox", onchange: (event) => table.set({ isExact: event.target.checked }) }), "as in CSV");
  const node = section("points", title,
    element("div", { class: "controls" }, element("label", { class: "choice" }, element("span", {}, "filter"), filter), says, exact),
    shareLegend(results),
    element("p", { class: "note", id: "filter-help" }, "Words that a row holds, and conditions on columns: =, !=, <, <=, >, >=; with \"quotes\" around what holds blanks."),
    table.node, columnChooser(results, table));
  return { node, apply };
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
  const longest = largestOf(results.all.map((row) => results.number("iteration_time_s", row)));
  const table = new PointTable(results, {
    columns: usualColumns(results),
    more: results.column("iteration_time_s") ? [{ title: "time", width: "6.5em", cell: (row) => (results.isDone(row) ? shareBar(results, row, longest) : "") }] : [],
    onchoose: choose,
  });
  const chart = results.count > 1 && results.all.some((row) => results.isDone(row)) ? new Chart(results, goTo) : null;
  const points = pointsSection(results, "Points", "ring workers>=8", table, (rows) => chart && chart.update(rows));
  const parts = results.count > 1
    ? [askedSection(results), ...(chart ? [chart.node] : []), points.node, point]
    : [point, askedSection(results)];
  content.replaceChildren(...parts, warningSection(results, choose), originSection(results));
  points.apply();
  choose(results.all.find((row) => results.isDone(row)) ?? 0);
}

function main() {
  const results = new Results(JSON.parse(document.getElementById("results").textContent));
  const content = document.getElementById("content");
  showHeader(results);
  showResults(content, results);
}
