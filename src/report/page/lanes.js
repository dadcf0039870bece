/*
 * SPDX-License-Identifier: GPL-2.0-only
 * The timeline of a run's last iteration: a row per layer, with when its gradient was ready, its exchange, and
 * what of that was exposed.
 */

const LANE = { height: 18, bar: 10, axis: 26 };

function layersOf(names, layers) {
  return layers.map(([name, ready, start, end, exposed, elements, wireBytes, firstBucket, lastBucket, worker]) => ({
    name: names[name], ready, start, end, exposed, elements, wireBytes, firstBucket, lastBucket, worker,
  }));
}

function layerTitle(layer) {
  const { firstBucket, lastBucket } = layer;
  const buckets = firstBucket === lastBucket ? `bucket ${firstBucket}` : `buckets ${firstBucket} to ${lastBucket}`;
  return `${layer.name}: ready at ${timeFigure(layer.ready)}, exchanged from ${timeFigure(layer.start)} to ${timeFigure(layer.end)}`
    + ` (${timeFigure(layer.end - layer.start)}), ${timeFigure(layer.exposed)} exposed; ${counted(layer.elements, "element")}, ${figure(layer.wireBytes, "B")} on the wire; in ${buckets}`;
}

function layerRow(layer, place, x, left) {
  const middle = LANE.axis + place * LANE.height + LANE.height / 2;
  const top = middle - LANE.bar / 2;
  const box = (from, to, colour) => drawing("rect", { x: x(from), y: top, width: Math.max(x(to) - x(from), 1), height: LANE.bar, style: `fill: var(${colour})` });
  const name = layer.name.length > left / 8 ? `${layer.name.slice(0, Math.floor(left / 8) - 1)}…` : layer.name;
  const exposed = Math.min(layer.exposed, layer.end - layer.start);
  return drawing("g", {},
    drawing("title", {}, layerTitle(layer)),
    drawing("rect", { x: 0, y: middle - LANE.height / 2, width: "100%", height: LANE.height, class: place % 2 ? "stripe" : "clear" }),
    drawing("text", { x: left - 6, y: middle + 4, "text-anchor": "end" }, name),
    drawing("line", { x1: x(layer.ready), x2: x(layer.start), y1: middle, y2: middle, class: "waits" }),
    box(layer.start, layer.end, "--lane-exchange"),
    exposed > 0 ? box(layer.end - exposed, layer.end, "--lane-exposed") : "",
    drawing("circle", { cx: x(layer.ready), cy: middle, r: 3.5, class: "ready" }));
}

function drawLane(layers, width) {
  const left = Math.min(150, Math.max(70, width * 0.2));
  const from = smallestOf(layers.map((layer) => layer.ready));
  const to = Math.max(largestOf(layers.map((layer) => layer.end)), from + 1);
  const x = (ps) => left + ((ps - from) / (to - from)) * (width - left - 12);
  const height = LANE.axis + layers.length * LANE.height + 4;
  const unit = unitFor("s", [to * 1e-12]);
  const factor = unit.factor * 1e-12;
  const ticks = linearTicks(from * factor, to * factor, Math.max(2, Math.floor((width - left) / 90)));
  const tick = (value) => drawing("g", {},
    drawing("line", { x1: x(value / factor), x2: x(value / factor), y1: LANE.axis - 4, y2: height, class: "tick" }),
    drawing("text", { x: x(value / factor), y: LANE.axis - 9, "text-anchor": "middle" }, `${shortFigure(value)} ${unit.unit}`));
  return drawing("svg", { class: "lanes", width, height, role: "img", "aria-label": "layers of the last iteration over time" },
    ticks.map(tick), layers.map((layer, i) => layerRow(layer, i, x, left)));
}

/** Of one row: the layers of the worker that ends last. */
function timeline(results, row) {
  const layers = layersOf(results.timelines.names, results.timelines.rows[row] || []);
  if (layers.length === 0) {
    return element("p", { class: "note" }, "There is no timeline of this point.");
  }
  const host = element("div", { class: "lane-host" });
  new ResizeObserver(() => host.replaceChildren(drawLane(layers, Math.max(host.clientWidth, 280)))).observe(host);
  return element("div", {},
    element("p", { class: "note" }, `worker ${layers[0].worker}, which ends last: ${counted(layers.length, "layer")} of the last iteration, by the time since the run's start`),
    element("ul", { class: "legend" },
      element("li", {}, element("span", { class: "swatch round", style: "background: var(--ink)" }), "gradient is ready"),
      element("li", {}, element("span", { class: "swatch line" }), "waits"),
      element("li", {}, element("span", { class: "swatch", style: "background: var(--lane-exchange)" }), "exchange"),
      element("li", {}, element("span", { class: "swatch", style: "background: var(--lane-exposed)" }), "so much of it is exposed: the next forward pass waits")),
    host);
}
