/*
 * SPDX-License-Identifier: GPL-2.0-only
 * All about one point: its command, where its time goes, what limits it.
 */

function shareTable(results, row) {
  const shares = sharesOf(results, row);
  const total = shares.reduce((sum, part) => sum + part.seconds, 0);
  const bound = results.number("lower_bound_s", row);
  const gain = results.text("gain", row);
  const line = (part) => barRow(part.name, bar([{ name: part.name, value: part.seconds, colour: part.colour, text: figure(part.seconds, "s") }], total, part.name),
    `${figure(part.seconds, "s")}, ${shortFigure((100 * part.seconds) / total)} %`);
  return element("div", {},
    element("h3", {}, "Where the time goes"),
    element("p", {}, `iteration time ${figure(results.number("iteration_time_s", row), "s")}`,
      Number.isNaN(bound) ? "" : `, lower bound ${figure(bound, "s")}`),
    gain ? element("p", {}, `${results.column("gain").words} ${shortFigure(results.number("gain", row))}`) : "",
    shareBar(results, row, total), shares.map(line));
}

function limitTable(results, row) {
  const limit = results.text("limited_by", row);
  const ofCommunication = results.text("communication_limited_by", row);
  return element("div", {},
    element("h3", {}, "What limits it"),
    element("p", {}, limit ? ["limited by ", element("strong", {}, limit)] : "nothing is known to limit it",
      ofCommunication && ofCommunication !== limit ? ["; its exchanges alone by ", element("strong", {}, ofCommunication)] : ""));
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
    exactFigures(results, row));
}
