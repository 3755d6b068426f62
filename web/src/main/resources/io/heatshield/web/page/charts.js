// The charts of the last minutes, drawn by uPlot, with a text alternative.

import { json } from "./api.js";
import { amount, at, box, colour, element, millis, missing, rate } from "./format.js";
import { state } from "./state.js";

const MOST_SECONDS = 900;
const CHARTS = [
  {
    id: "chart-requests", show: rate,
    lines: [
      { metric: "requests", name: "requests", kind: "requests", hint: "Requests from clients" },
      { metric: "store_calls", name: "store calls", kind: "store", hint: "Calls to the store, including those of Heatshield itself" },
      { metric: "saved", name: "saved", kind: "saved", hint: "Calls that protection saved" },
      { metric: "would_save", name: "would save", kind: "saved", dash: [3, 3], hint: "Calls that protection would save in mode enforce", quiet: true },
    ],
  },
  {
    id: "chart-latency", show: millis,
    lines: [
      { metric: "answer_p50_ms", name: "median", kind: "median", hint: "Half of the requests completed within this time" },
      { metric: "answer_p99_ms", name: "p99", kind: "requests", hint: "99 % of requests completed within this time" },
      { metric: "store_p99_ms", name: "store p99", kind: "store", dash: [3, 3], hint: "99 % of calls to the store completed within this time" },
    ],
  },
  { id: "chart-errors", show: rate, lines: [{ metric: "errors", name: "errors", kind: "errors", hint: "Requests that failed with an error" }] },
];
const COLOURS = { requests: "--cool", store: "--heat", saved: "--good", errors: "--bad", median: "--quiet" };

const known = { scope: null, times: [], values: {}, changes: [], scopes: [] };
const plots = new Map();

export const latest = (metric) => {
  const line = known.values[metric] ?? [];
  // The last second may have no sample yet, so the two before it are used as well.
  return line.slice(-3).reverse().find((value) => !missing(value)) ?? null;
};
export const seriesScopes = () => known.scopes;

// Loads the samples that are newer than the known ones, and drops those that are too old.
export async function readSeries() {
  if (known.scope !== state.scope) {
    Object.assign(known, { scope: state.scope, times: [], values: {}, changes: [] });
  }
  const after = known.times.at(-1) ?? 0;
  const scope = state.scope === "" ? "" : `&scope=${encodeURIComponent(state.scope)}`;
  const view = await json(`/api/v1/series?after=${after}${scope}`);
  if (known.scope !== state.scope) {
    return;
  }
  const first = Date.now() - MOST_SECONDS * 1000;
  const times = [...known.times, ...view.times];
  const from = Math.max(0, times.findIndex((one) => one >= first));
  known.times = times.slice(from);
  for (const [metric, line] of Object.entries(view.values)) {
    known.values[metric] = [...(known.values[metric] ?? []), ...line].slice(from);
  }
  known.changes = view.mode_changes;
  known.scopes = view.scopes;
}

const measured = (line) => (known.values[line.metric] ?? []).some((value) => !missing(value) && (!line.quiet || value > 0));

// Draws a line where a protection mode changed, to compare before and after.
function drawChanges(plot) {
  const pen = plot.ctx;
  const ratio = devicePixelRatio;
  pen.save();
  pen.font = `${10 * ratio}px system-ui, sans-serif`;
  let last = -Infinity;
  for (const change of known.changes) {
    const x = plot.valToPos(change.at / 1000, "x", true);
    if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) {
      continue;
    }
    pen.strokeStyle = colour("--text");
    pen.fillStyle = colour("--text");
    pen.lineWidth = ratio;
    pen.setLineDash([2 * ratio, 3 * ratio]);
    pen.beginPath();
    pen.moveTo(x, plot.bbox.top);
    pen.lineTo(x, plot.bbox.top + plot.bbox.height);
    pen.stroke();
    const right = x + 50 * ratio > plot.bbox.left + plot.bbox.width;
    const start = right ? x - 50 * ratio : x;
    if (start - last > 50 * ratio) {
      pen.textAlign = right ? "right" : "left";
      pen.fillText(change.to, x + (right ? -3 : 3) * ratio, plot.bbox.top + 9 * ratio);
      last = start;
    }
  }
  pen.restore();
}

function make(chart, lines, place) {
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "10px system-ui, sans-serif" };
  return new uPlot({
    width: Math.max(120, place.clientWidth), height: place.clientHeight, padding: [6, 6, 0, 0],
    cursor: { sync: { key: "heatshield" }, y: false, drag: { x: false, y: false } },
    scales: { x: { time: true, range: (plot, low, high) => [high - spanSeconds(), high] }, y: { range: (plot, low, high) => [0, high > 0 ? high * 1.12 : 1] } },
    axes: [{ ...axis, size: 22, space: 52, values: "{HH}:{mm}:{ss}" }, { ...axis, size: 44, space: 28, values: (plot, ticks) => ticks.map((tick) => short(tick)) }],
    series: [{}, ...lines.map((line) => ({ stroke: colour(COLOURS[line.kind]), width: line.dash ? 1.5 : 1.75, dash: line.dash, points: { show: false } }))],
    hooks: { draw: [drawChanges], setCursor: [(plot) => drawLegend(chart, lines, plot.cursor.idx)] },
  }, data(lines), place);
}

function short(value) {
  return value >= 1000000 ? `${value / 1000000}M` : value >= 1000 ? `${value / 1000}k` : String(Number(value.toPrecision(3)));
}

const spanSeconds = () => (state.range === "" ? MOST_SECONDS : Math.min(MOST_SECONDS, Number(state.range) * 60));

function data(lines) {
  const first = Date.now() - spanSeconds() * 1000;
  const from = Math.max(0, known.times.findIndex((one) => one >= first));
  return [known.times.slice(from).map((one) => one / 1000), ...lines.map((line) => known.values[line.metric].slice(from))];
}

function drawLegend(chart, lines, index) {
  const shown = data(lines);
  const items = lines.map((line, i) => {
    const value = missing(index) ? latest(line.metric) : shown[i + 1][index];
    const swatch = element("i", undefined, `c-${line.kind}${line.dash ? " dashed" : ""}`);
    const item = box("li", "", swatch, document.createTextNode(`${line.name} `), element("b", missing(value) ? "–" : chart.show(value)));
    item.title = line.hint;
    return item;
  });
  at(`${chart.id}-legend`).replaceChildren(...items);
}

function textOf(chart, lines) {
  const parts = lines.map((line) => {
    const values = known.values[line.metric].filter((value) => !missing(value));
    const now = latest(line.metric);
    return `${line.name}: now ${now === null ? "not measured" : chart.show(now)}, at most ${chart.show(Math.max(...values))}`;
  });
  const changes = known.changes.map((change) => `${change.action} changed to ${change.to} at ${new Date(change.at).toLocaleTimeString()}`);
  return [...parts, ...changes].join("; ");
}

export function drawCharts(force = false) {
  for (const chart of CHARTS) {
    const place = at(chart.id);
    const lines = chart.lines.filter(measured);
    const shape = lines.map((line) => line.metric).join();
    const old = plots.get(chart.id);
    if (old && (force || old.shape !== shape)) {
      old.plot.destroy();
      plots.delete(chart.id);
    }
    if (lines.length === 0 || place.clientWidth === 0) {
      at(`${chart.id}-legend`).replaceChildren(element("li", known.times.length < 2 ? "Waiting for the first samples." : "Not measured for this scope."));
      place.setAttribute("aria-label", "no samples yet");
      continue;
    }
    if (plots.has(chart.id)) {
      plots.get(chart.id).plot.setData(data(lines));
    } else {
      plots.set(chart.id, { shape, plot: make(chart, lines, place) });
    }
    drawLegend(chart, lines, plots.get(chart.id).plot.cursor.idx);
    place.setAttribute("aria-label", textOf(chart, lines));
  }
}

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const plot = plots.get(target.id)?.plot;
    if (plot && target.clientWidth > 0) {
      plot.setSize({ width: target.clientWidth, height: target.clientHeight });
    }
  }
});
CHARTS.forEach((chart) => sizes.observe(at(chart.id)));

export function drawTiles(hot, incidents) {
  const requests = latest("requests");
  const saved = latest("saved");
  const would = latest("would_save");
  const errors = latest("errors");
  const p99 = latest("answer_p99_ms");
  const median = latest("answer_p50_ms");
  const store = latest("store_p99_ms");
  const calls = latest("store_calls");
  tile("hot", amount(hot.hot), `threshold ${hot.threshold}`, hot.hot > 0 ? "warm" : "");
  tile("incidents", amount(incidents.open), incidents.total === 0 ? "none so far" : `${amount(incidents.total)} recorded`, incidents.open > 0 ? "warm" : "");
  tile("requests", requests === null ? "–" : rate(requests), calls === null ? "" : `${rate(calls)} to the store`);
  tile("saved", saved === null ? "–" : rate(saved), would > 0 ? `would save ${rate(would)} more` : saved > 0 && requests > 0 ? `${Math.round((100 * saved) / Math.max(requests, saved))} % of requests` : "nothing to save", saved > 0 ? "fine" : "");
  tile("latency", millis(p99), p99 === null ? "not measured" : `median ${millis(median)}${store === null ? "" : `, store ${millis(store)}`}`);
  tile("errors", errors === null ? "–" : rate(errors), errors === null ? "not measured" : errors > 0 ? "in the last second" : "none in the last second", errors > 0 ? "sick" : "");
}

function tile(name, text, note, mood) {
  const place = at(`tile-${name}`);
  if (place.textContent !== text) {
    place.textContent = text;
  }
  if (at(`tile-${name}-note`).textContent !== note) {
    at(`tile-${name}-note`).textContent = note;
    at(`tile-${name}-note`).title = note;
  }
  place.parentElement.className = mood ?? "";
}
