/*
 * SPDX-License-Identifier: GPL-2.0-only
 * All about one point: its command, where its time goes, what limits it.
 */

/** A part of a time, as a bar and as figures. @param after is said behind them */
function secondsRow(part, total, after = "") {
  return barRow(part.name, bar([{ name: part.name, value: part.seconds, colour: part.colour, text: figure(part.seconds, "s") }], total, part.name),
    `${figure(part.seconds, "s")}, ${shortFigure((100 * part.seconds) / total)} %${after}`);
}

function shareTable(results, row) {
  const shares = sharesOf(results, row);
  const total = shares.reduce((sum, part) => sum + part.seconds, 0);
  const bound = results.number("lower_bound_s", row);
  const gain = results.text("gain", row);
  return element("div", {},
    element("h3", {}, "Where the time goes"),
    element("p", {}, `iteration time ${figure(results.number("iteration_time_s", row), "s")}`,
      Number.isNaN(bound) ? "" : `, lower bound ${figure(bound, "s")}`),
    gain ? element("p", {}, `${results.column("gain").words} ${shortFigure(results.number("gain", row))}`) : "",
    shareBar(results, row, total), shares.map((part) => secondsRow(part, total)));
}

function limitTable(results, row) {
  const limit = results.text("limited_by", row);
  const ofCommunication = results.text("communication_limited_by", row);
  return element("div", {},
    element("h3", {}, "What limits it"),
    element("p", {}, limit ? ["limited by ", element("strong", {}, limit)] : "nothing is known to limit it",
      ofCommunication && ofCommunication !== limit ? ["; its exchanges alone by ", element("strong", {}, ofCommunication)] : ""));
}

/** Of a run alone: the chain of events that ends last, by what it waited for and where. */
function pathTable(results) {
  const most = 15;
  const parts = results.path.map((part) => ({ name: `${part.kind} ${part.place}`, seconds: numberOf(part.time_s), pieces: numberOf(part.pieces) }));
  const rest = parts.splice(most);
  const sumOf = (name) => rest.reduce((sum, part) => sum + part[name], 0);
  parts.push(...(rest.length > 0 ? [{ name: "all else", seconds: sumOf("seconds"), pieces: sumOf("pieces") }] : []));
  const total = parts.reduce((sum, part) => sum + part.seconds, 0);
  return element("div", { id: "path" },
    element("h3", {}, "Why it takes so long"),
    element("p", {}, "The chain of events that ends last, by what it waited for and where:"),
    parts.map((part) => secondsRow({ ...part, colour: "--series-0" }, total, `, ${counted(part.pieces, "piece")}`)));
}

let figuresAreOpen = false; // of all points alike

/** Made when they are asked for: they are many. */
function exactFigures(results, row) {
  const node = element("details", { id: "figures", open: figuresAreOpen }, element("summary", {}, "all its figures, as they stand in CSV"));
  const show = () => {
    const rows = results.columns.filter((column) => column.text(row) !== "").map((column) => [
      element("code", {}, column.name), element("span", { class: "exact", "data-column": column.name }, column.text(row)), column.unit, column.meaning,
    ]);
    node.append(smallTable(["column", "text", "unit", "meaning"], rows));
  };
  if (figuresAreOpen) {
    show();
  }
  node.firstChild.addEventListener("click", () => {
    figuresAreOpen = !node.open;
    if (figuresAreOpen && node.childElementCount === 1) {
      show();
    }
  });
  return node;
}

function commandOf(results, row) {
  const command = results.commands[row];
  return command
    ? [element("p", {}, "The command that gives this row:"), commandLine(command)]
    : [element("p", { class: "note" }, "Its command is not known: the folder of the sweep keeps it.")];
}

function showPoint(node, results, row) {
  const title = results.count > 1 ? `Point ${results.pointNumber(row)}: ${results.rowName(row)}` : "The run";
  const isDone = results.isDone(row);
  const warnings = results.warnings(row);
  node.replaceChildren(
    element("h2", { id: "point-title" }, title),
    isDone ? "" : element("p", { class: "status" }, element("strong", {}, results.status(row))),
    warnings.length > 0 ? element("ul", { class: "warnings" }, warnings.map((warning) => element("li", {}, warning))) : "",
    ...commandOf(results, row),
    isDone ? element("div", { class: "beside" }, shareTable(results, row), limitTable(results, row)) : "",
    isDone && results.path.length > 0 ? pathTable(results) : "",
    exactFigures(results, row));
}
