/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Figures with the unit that suits them.
 */

/** What a column's unit is a multiple of; only these take prefixes. */
const BASE_UNITS = {
  s: ["s", 1], us: ["s", 1e-6], ns: ["s", 1e-9],
  "Gbit/s": ["bit/s", 1e9], "B/s": ["B/s", 1], B: ["B", 1], MHz: ["Hz", 1e6], "values/s": ["values/s", 1],
};
const SMALL = [["p", 1e-12], ["n", 1e-9], ["u", 1e-6], ["m", 1e-3], ["", 1]];
const LARGE = [["", 1], ["k", 1e3], ["M", 1e6], ["G", 1e9], ["T", 1e12]];

/** Of any number of values; those that are none do not count. */
function largestOf(values) {
  return values.reduce((largest, value) => (value > largest ? value : largest), -Infinity);
}

function smallestOf(values) {
  return values.reduce((smallest, value) => (value < smallest ? value : smallest), Infinity);
}

/** The unit in which the largest of the values has one to three digits before the point, and the factor to it. */
function unitFor(unit, values) {
  const base = BASE_UNITS[unit];
  const largest = Math.max(largestOf(values), -smallestOf(values), 0);
  if (!base || largest === 0 || largest === Infinity) {
    return { unit, factor: 1 };
  }
  const prefixes = base[0] === "s" ? SMALL : LARGE;
  const fitting = prefixes.filter(([, size]) => largest * base[1] >= size * (1 - 1e-9));
  const [prefix, size] = fitting.length > 0 ? fitting[fitting.length - 1] : prefixes[0];
  return { unit: prefix + base[0], factor: base[1] / size };
}

/** Four significant digits at most. */
function shortFigure(number) {
  if (!Number.isFinite(number)) {
    return "-";
  }
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) {
    return number.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
  }
  return String(Number(number.toPrecision(4)));
}

/** A figure with a unit of its own: "596.2 ms". */
function figure(number, unit) {
  const suiting = unitFor(unit, [number]);
  return shortFigure(number * suiting.factor) + (suiting.unit ? ` ${suiting.unit}` : "");
}

/** "3 points", "1 point" */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** "iteration time (s)" */
function titleOf(column, unit = column.unit) {
  return column.words + (unit ? ` (${unit})` : "");
}

/** Logarithmic where values span a decade. */
function suggestsLog(values) {
  const least = smallestOf(values);
  return least > 0 && largestOf(values) >= 10 * least;
}

/** @return [from, to] */
function rangeOf(values, isLog, fromZero) {
  let least = smallestOf(values);
  let most = largestOf(values);
  if (isLog) {
    const room = Math.max((most / least) ** 0.05, 1.05);
    return [least / room, most * room];
  }
  if (fromZero && least > 0 && least < most / 2) {
    least = 0;
  }
  const room = (most - least || Math.abs(most) || 1) * 0.05;
  return [least === 0 ? 0 : least - room, most + room];
}

/** 1, 2, 5, 10, ...; over more than three decades 1, 10, 100, ... */
function logTicks(from, to) {
  const steps = to / from > 1000 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let decade = Math.floor(Math.log10(from)); 10 ** decade <= to; ++decade) {
    ticks.push(...steps.map((step) => Number(`${step}e${decade}`)).filter((tick) => tick >= from && tick <= to));
  }
  return ticks.length > 1 ? ticks : linearTicks(from, to, 4);
}

function linearTicks(from, to, most) {
  const raw = (to - from) / Math.max(most, 1);
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((size) => size >= raw * (1 - 1e-9));
  const ticks = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-12) + step * 1e-9; ++i) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
