/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Where axes begin and end, where their ticks are, and where lines cross.
 */

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

/**
 * Where two lines cross, as they are drawn: straight between two places on the axes' scales.
 * @param a, b [x, y] by their x; only what both have an x of counts
 * @return [x, y, whether a is below b from there on]
 */
function crossings(a, b, isLogX, isLogY) {
  const other = new Map(b);
  const place = (value, isLog) => (isLog ? Math.log(value) : value);
  const value = (at, isLog) => (isLog ? Math.exp(at) : at);
  const pairs = a.filter(([x]) => other.has(x)).map(([x, y]) => {
    const ya = place(y, isLogY);
    return { x: place(x, isLogX), y: ya, difference: ya - place(other.get(x), isLogY) };
  });
  const found = [];
  let last = -1; // at which they differ
  pairs.forEach((pair, i) => {
    if (pair.difference === 0) {
      return;
    }
    if (last >= 0 && pairs[last].difference * pair.difference < 0) {
      const [p, q] = [pairs[last], pairs[last + 1]];
      const share = p.difference / (p.difference - q.difference);
      found.push([value(p.x + share * (q.x - p.x), isLogX), value(p.y + share * (q.y - p.y), isLogY), pair.difference < 0]);
    }
    last = i;
  });
  return found;
}
