/*
 * SPDX-License-Identifier: GPL-2.0-only
 * What was asked, what there is to be warned of, and where all comes from.
 */

/** A row for each setting in which systems differ, whatever else varies; a column for each system. */
function systemDifferences(results) {
  const label = results.column("label");
  const systems = label ? label.texts.filter((text) => text !== "") : [];
  const textsOf = (column) => systems.map((system) => new Set(results.all.filter((row) => label.text(row) === system).map((row) => column.text(row))));
  const rows = results.columns.filter((column) => column.isSetting && column.varies && column !== label)
    .map((column) => [column, textsOf(column)])
    .filter(([, texts]) => texts.every((some) => some.size === 1))
    .map(([column, texts]) => [titleOf(column), ...texts.map(([text]) => text || "-")]);
  return systems.length < 2 || rows.length === 0 ? "" : element("div", {}, element("h3", {}, "How the systems differ"), smallTable(["", ...systems], rows));
}

function variedTable(results) {
  const rows = results.varied.map((column) => {
    const { unit, factor } = column.suiting;
    const texts = column.isNumeric
      ? column.numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b).map((number) => shortFigure(number * factor))
      : column.texts.filter((text) => text !== "");
    const most = 24;
    const shown = texts.slice(0, most).join(", ") + (texts.length > most ? ", ..." : "");
    return [element("span", { title: `${column.name}: ${column.meaning}` }, titleOf(column, unit)), shown];
  });
  return rows.length === 0 ? "" : element("div", {}, element("h3", {}, "What varies"), smallTable([], rows));
}

function scenarioTable(results) {
  if (results.scenario.length === 0) {
    return "";
  }
  return element("div", {},
    element("h3", {}, "The scenario"),
    results.kind === "sweep" && results.command ? element("p", {}, element("code", {}, results.command)) : "",
    element("p", { class: "note" }, "What is not INCA's default", results.kind === "sweep" ? ", before anything varies:" : ":"),
    smallTable([], results.scenario.map(({ name, text }) => [element("code", {}, name), text])));
}

function askedSection(results) {
  const statuses = new Map();
  results.all.forEach((row) => statuses.set(results.status(row), (statuses.get(results.status(row)) || 0) + 1));
  const counts = [...statuses].map(([status, count]) => `${count.toLocaleString("en")} ${status}`).join(", ");
  return section("asked", "What was asked",
    results.count > 1 ? element("p", { id: "counts" }, `${counted(results.count, "point")}: ${counts}`) : "",
    element("div", { class: "beside" }, variedTable(results), systemDifferences(results)),
    scenarioTable(results));
}

/** Each text once, with the points of which it is said. */
function warningSection(results, onchoose) {
  const groups = new Map();
  for (const row of results.all) {
    const status = results.status(row);
    const texts = results.warnings(row);
    for (const text of texts.length === 0 && status !== "done" ? ["no reason is given"] : texts) {
      const key = `${status}\n${text}`;
      groups.set(key, groups.get(key) || { status, text, rows: [] });
      groups.get(key).rows.push(row);
    }
  }
  const most = 12;
  const link = (row) => [" ", element("a", { href: "#point", title: results.rowName(row), onclick: () => onchoose(row) }, results.pointNumber(row))];
  const points = (group) => (results.count === 1 ? "" : element("span", { class: "note" }, ` at ${counted(group.rows.length, "point")}:`,
    ...group.rows.slice(0, most).flatMap(link), group.rows.length > most ? " ..." : ""));
  const list = (all) => element("ul", { class: "warnings" }, all.map((group) => element("li", {},
    group.status === "done" ? "" : element("strong", {}, `${group.status}: `), group.text, points(group))));
  const all = [...groups.values()];
  const refused = all.filter((group) => group.status !== "done");
  const warned = all.filter((group) => group.status === "done");
  return section("warnings", "Warnings and points without results",
    results.notes.length > 0 ? element("ul", { class: "warnings" }, results.notes.map((note) => element("li", {}, note))) : "",
    refused.length > 0 ? element("div", {}, element("h3", {}, "Points without results"), list(refused)) : "",
    warned.length > 0 ? element("div", {}, element("h3", {}, "Warnings"), list(warned)) : "",
    all.length + results.notes.length === 0 ? element("p", {}, "None.") : "");
}

/** Versions and checksums: those of files, and those that stand in the rows. */
function originSection(results) {
  const rows = results.origins.map((origin) => [origin.name, element("code", {}, origin.text)]);
  for (const [name, title] of [["inca_version", "inca, of the rows"], ["ns3_version", "ns-3, of the rows"], ["seed", "seed"], ["trace_crc32", "CRC-32 of the trace"]]) {
    const column = results.column(name);
    const texts = column ? column.texts.filter((text) => text !== "") : [];
    if (texts.length > 0) {
      const most = 12;
      rows.push([title, element("code", {}, texts.slice(0, most).join(", ") + (texts.length > most ? `, and ${texts.length - most} more` : ""))]);
    }
  }
  return section("origins", "Versions and checksums", smallTable([], rows));
}
