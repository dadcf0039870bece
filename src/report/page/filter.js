/*
 * SPDX-License-Identifier: GPL-2.0-only
 * What the filter's text means: words that a row must hold, and conditions such as workers>=8.
 */

const COMPARISONS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};

/** "workers" is enough for a column that only its unit follows. */
function columnFor(results, name) {
  return results.column(name) || results.columns.find((column) => column.name.startsWith(`${name}_`));
}

function condition(column, operator, text) {
  const number = numberOf(text);
  if (operator === "=" || operator === "!=") {
    const wanted = operator === "=";
    const equals = (row) => column.text(row) === text || column.number(row) === number;
    return (row) => equals(row) === wanted;
  }
  return (row) => COMPARISONS[operator](column.number(row), number);
}

/** Words are looked for in all columns, once for each text of a column. */
function word(results, text) {
  const wanted = text.toLowerCase();
  const places = results.columns.map((column) => column.texts.map((known) => known.toLowerCase().includes(wanted)));
  const holds = (column, row) => places[column.index][column.rows.length > 0 ? column.rows[row] : 0];
  const some = results.columns.filter((column) => places[column.index].includes(true));
  return (row) => some.some((column) => holds(column, row));
}

/** @return {test: of a row, problem: what cannot be understood, or ""} */
function parseFilter(results, text) {
  const tests = [];
  let problem = "";
  for (const token of text.match(/(?:[^\s"]|"[^"]*"?)+/g) || []) {
    const plain = token.replaceAll('"', "");
    const parts = /^([A-Za-z_]\w*)(<=|>=|!=|=|<|>)(.+)$/.exec(plain);
    const column = parts && columnFor(results, parts[1]);
    if (parts && !column) {
      problem = `there is no column ${parts[1]}`;
    } else {
      tests.push(parts ? condition(column, parts[2], parts[3]) : word(results, plain));
    }
  }
  return { test: (row) => tests.every((test) => test(row)), problem };
}
