/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The rows: each column's texts as they stand in CSV, and as numbers.
 */

/** NaN: it is none. */
function numberOf(text) {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

const COLLATOR = new Intl.Collator("en", { numeric: true });

class Column {
  /** @param json of the page: each text once, and for each row which of them; no rows: all have the first */
  constructor(json, index) {
    Object.assign(this, { ...json, index });
    this.numbers = json.texts.map(numberOf);
    this.isNumeric = json.texts.some((text) => text !== "") && json.texts.every((text, i) => text === "" || !Number.isNaN(this.numbers[i]));
    this.suiting = this.isNumeric ? unitFor(this.unit, this.numbers) : { unit: "", factor: 1 }; // of all its figures
  }

  text(row) {
    return this.texts[this.rows.length > 0 ? this.rows[row] : 0];
  }

  /** NaN: it has none */
  number(row) {
    return this.numbers[this.rows.length > 0 ? this.rows[row] : 0];
  }

  /** Of two rows that have it: below 0 if the first comes first, numbers by their size, names by their letters. */
  compare(a, b) {
    return this.isNumeric ? this.number(a) - this.number(b) : COLLATOR.compare(this.text(a), this.text(b));
  }

  get varies() {
    return this.texts.length > 1;
  }

  /** A setting where its column does not stand beside it: "10 Gbit/s", "4 workers", "ring"; empty: it has none. */
  named(row) {
    return this.names[this.rows.length > 0 ? this.rows[row] : 0] ?? this.text(row);
  }
}

class Results {
  constructor(json) {
    Object.assign(this, json);
    this.columns = json.columns.map((column, i) => new Column(column, i));
    this.byName = new Map(this.columns.map((column) => [column.name, column]));
    this.varied = json.varied.map((index) => this.columns[index]);
    this.all = Array.from({ length: json.count }, (_, row) => row);
  }

  /** @return the column, or undefined */
  column(name) {
    return this.byName.get(name);
  }

  text(name, row) {
    return this.byName.has(name) ? this.byName.get(name).text(row) : "";
  }

  number(name, row) {
    return this.byName.has(name) ? this.byName.get(name).number(row) : NaN;
  }

  /** "done", "refused", "failed" or "timeout" */
  status(row) {
    return this.text("status", row) || "done";
  }

  isDone(row) {
    return this.status(row) === "done";
  }

  /** What the row is called outside of the page, too. */
  pointNumber(row) {
    return this.text("point", row) || String(row + 1);
  }

  /** "ring, 25 Gbit/s": what sets it apart */
  rowName(row) {
    const parts = this.varied.map((column) => column.named(row)).filter((part) => part !== "");
    return parts.join(", ") || this.title;
  }

  warnings(row) {
    const text = this.text("warnings", row);
    return text === "" ? [] : text.split(" | ");
  }
}

/** What the parts of the time are called, in the order in which they are drawn. */
const SHARES = ["forward", "backward", "copy", "codec", "sum", "update", "communication"];

/** The parts of a row's time: {name, seconds, colour}, those that it has. */
function sharesOf(results, row) {
  return SHARES.map((name, i) => ({ name, seconds: results.number(`${name}_s`, row), colour: `--share-${i}` }))
    .filter((part) => part.seconds > 0);
}

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
