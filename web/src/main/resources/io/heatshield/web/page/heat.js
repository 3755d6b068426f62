// The heat map: rows are keys or prefixes, columns are periods, colours are rates.

import { json } from "./api.js";
import { amount, at, box, cell, colour, element, keyBytes, mayRedraw, numberCell, rate, row, say } from "./format.js";
import { explainButton, openExplanation } from "./explain.js";
import { show, state } from "./state.js";

const MOST_ROWS = 40;
const MOST_COLUMNS = 300;
const PIXELS_A_COLUMN = 4;
const MOST_IN_A_GROUP = 6;
const LIGHT = [[255, 241, 214], [255, 196, 107], [240, 120, 48], [196, 52, 26], [112, 16, 32]];
const DARK = [[43, 36, 33], [107, 47, 29], [194, 73, 29], [255, 143, 60], [255, 228, 150]];

let map = null;
let lines = [];
let cursor = null;

const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark"
  || (getComputedStyle(document.documentElement).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

// Rates differ by orders of magnitude, so the colour depends on their logarithm, with low rates faint.
const depth = (value, highest) => (value <= 0 ? 0 : (Math.log1p(value) / Math.log1p(Math.max(1, highest))) ** 1.8);

function tint(part, stops) {
  const place = Math.min(0.9999, Math.max(0, part)) * (stops.length - 1);
  const [from, to] = [stops[Math.floor(place)], stops[Math.floor(place) + 1]];
  return `rgb(${from.map((one, i) => Math.round(one + (to[i] - one) * (place % 1))).join(" ")})`;
}

// Returns the Redis Cluster slot of a key: CRC16 of the key, or of its hash tag in braces.
export function slotOf(bytes) {
  const open = bytes.indexOf(0x7b);
  const close = open < 0 ? -1 : bytes.indexOf(0x7d, open + 1);
  let crc = 0;
  for (const byte of close > open + 1 ? bytes.slice(open + 1, close) : bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc % 16384;
}

export function prefixOf(key) {
  return /^[^:/.|]{1,40}[:/.|]/.exec(key)?.[0] ?? "";
}

function groupOf(one) {
  if (state.group === "scope") {
    return one.scope;
  }
  if (state.group === "slot") {
    const bytes = keyBytes(one.key);
    return bytes === null ? "" : `slot ${slotOf(bytes)}`;
  }
  return state.group === "prefix" ? prefixOf(one.key) : "";
}

// Groups of two or more keys have a heading; single keys come last.
export function grouped(rows) {
  const groups = new Map();
  for (const one of rows) {
    const name = groupOf(one);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const alone = state.group === "prefix" ? ([name, of]) => name === "" || of.length < 2 : () => false;
  const all = [...groups];
  const together = all.filter((group) => !alone(group));
  const rest = all.filter(alone).flatMap(([, of]) => of).sort((a, b) => b.peak - a.peak);
  const named = together.map(([name, of]) => [state.group === "prefix" ? `${name}*` : name, of]);
  return rest.length === 0 ? named : [...named, [named.length === 0 ? "" : "other keys", rest]];
}

function moment(column) {
  const from = Date.parse(map.from);
  return new Date(from + ((Date.parse(map.to) - from) / map.seen.length) * column);
}

function paint(canvas, one, highest, stops) {
  canvas.width = map.seen.length;
  canvas.height = 1;
  const pen = canvas.getContext("2d");
  const ground = colour("--sunk");
  one.rates.forEach((value, i) => {
    if (!map.seen[i]) {
      return;
    }
    pen.fillStyle = value <= 0 ? ground : tint(depth(value, highest), stops);
    pen.fillRect(i, 0, 1, 1);
  });
}

function columnAt(canvas, x) {
  const place = canvas.getBoundingClientRect();
  return Math.max(0, Math.min(map.seen.length - 1, Math.floor(((x - place.left) / place.width) * map.seen.length)));
}

const tip = element("div", undefined, "tip");
tip.hidden = true;
document.body.append(tip);

function describe(one, column) {
  const value = map.seen[column] ? `${amount(one.rates[column])} requests/s` : "not recorded";
  return `${one.key}${one.prefix ? "*" : ""} in ${one.scope}, ${moment(column).toLocaleTimeString()}: ${value}`;
}

function point(one, column, x, y) {
  tip.textContent = describe(one, column);
  tip.hidden = false;
  tip.style.left = `${Math.min(x + 12, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(y + 14, innerHeight - tip.offsetHeight - 8)}px`;
}

// Dragging along a row zooms into that period; a click explains the key.
function watch(canvas, one) {
  let from = null;
  canvas.addEventListener("pointermove", (event) => point(one, columnAt(canvas, event.clientX), event.clientX, event.clientY));
  canvas.addEventListener("pointerleave", () => {
    tip.hidden = true;
    from = null;
  });
  canvas.addEventListener("pointerdown", (event) => {
    from = columnAt(canvas, event.clientX);
  });
  canvas.addEventListener("pointerup", (event) => {
    const to = columnAt(canvas, event.clientX);
    if (from !== null && Math.abs(to - from) > 2) {
      zoom(Math.min(from, to), Math.max(from, to) + 1);
    } else if (from !== null && !one.prefix) {
      openExplanation(one.key, one.scope);
    }
    from = null;
  });
}

function zoom(from, to) {
  tip.hidden = true;
  show({ from: String(moment(from).getTime()), to: String(moment(to).getTime()) }, true);
}

function line(one, highest, stops) {
  const name = box("span", "name", one.prefix ? element("span", `${one.key}*`, "mono") : explainButton(one.key, one.scope));
  name.title = `${one.key} in ${one.scope}`;
  const canvas = element("canvas");
  canvas.setAttribute("aria-hidden", "true");
  paint(canvas, one, highest, stops);
  watch(canvas, one);
  const peak = element("span", rate(one.peak), "peak");
  peak.title = "Highest rate in this period";
  return [name, canvas, peak];
}

function draw() {
  const place = at("map");
  const highest = Math.max(1, ...map.rows.map((one) => one.peak));
  const stops = isDark() ? DARK : LIGHT;
  const groups = grouped(map.rows);
  const cut = groups.length > 1 ? MOST_IN_A_GROUP : MOST_ROWS;
  lines = groups.flatMap(([, of]) => of.slice(0, cut));
  const rows = element("div", undefined, "rows");
  for (const [name, of] of groups) {
    if (name !== "") {
      const shown = of.length > cut ? `the hottest ${cut} of ${of.length} keys` : `${of.length} ${of.length === 1 ? "key" : "keys"}`;
      rows.append(box("div", "group", element("span", name, "mono"), document.createTextNode(` ${shown}`)));
    }
    of.slice(0, cut).forEach((one) => rows.append(...line(one, highest, stops)));
  }
  const axis = box("div", "axis", ...[0, 0.5, 1].map((part) => element("span", moment(map.seen.length * part).toLocaleTimeString())));
  rows.append(element("span"), axis, element("span"));
  place.replaceChildren(rows);
  const scale = element("canvas");
  scale.width = 100;
  scale.height = 1;
  scale.setAttribute("aria-hidden", "true");
  const pen = scale.getContext("2d");
  for (let i = 0; i < 100; i++) {
    pen.fillStyle = tint(i / 100, stops);
    pen.fillRect(i, 0, 1, 1);
  }
  at("map-scale").replaceChildren(element("span", "0"), scale, element("span", `${rate(highest)}; drag along a row to zoom, click a row to explain its key`));
  at("map-scale").hidden = map.rows.length === 0;
}

function drawTable() {
  at("map-table").replaceChildren(...lines.map((one) => {
    const name = element("td");
    name.append(one.prefix ? element("span", `${one.key}*`, "mono") : explainButton(one.key, one.scope));
    return row("", name, cell(one.scope), numberCell(rate(one.peak)), numberCell(rate(one.rates.at(-1) || one.rates.at(-2) || 0)),
      cell(moment(one.rates.indexOf(Math.max(...one.rates))).toLocaleTimeString()));
  }));
}

export async function drawHeat() {
  const place = at("map");
  const width = Math.max(100, place.clientWidth * 0.68);
  const zoomed = state.from !== "" && state.to !== "";
  const minutes = Math.max(1, Number(state.range) || 15);
  const seconds = zoomed ? (Number(state.to) - Number(state.from)) / 1000 : minutes * 60;
  const columns = Math.max(1, Math.round(Math.min(MOST_COLUMNS, width / PIXELS_A_COLUMN, seconds <= 900 ? seconds / 2 : seconds / 10)));
  const when = zoomed ? `from=${state.from}&to=${state.to}` : `minutes=${minutes}`;
  const scope = state.scope === "" ? "" : `&scope=${encodeURIComponent(state.scope)}`;
  const match = `${state.q === "" ? "" : `&contains=${encodeURIComponent(state.q)}`}${state.prefix === "" ? "" : `&prefix=${encodeURIComponent(state.prefix)}`}`;
  map = await json(`/api/v1/history?${when}&columns=${columns}&n=${MOST_ROWS}${scope}${match}`);
  at("zoom-out").hidden = !zoomed;
  if (mayRedraw(place) || document.activeElement === place) {
    draw();
  }
  if (!at("map-table-box").hidden && mayRedraw(at("map-table"))) {
    drawTable();
  }
  const wanted = state.q !== "" || state.prefix !== "" ? " that match the search" : "";
  say(at("map-note"), map.rows.length === 0 ? `No keys${wanted} are recorded for this period yet.` : map.total > map.rows.length ? `The hottest ${map.rows.length} of ${map.total} keys${wanted}.` : "");
}

// Keyboard: arrows move between cells, Enter explains the key, + zooms in.
function move(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.target !== at("map") || map === null || lines.length === 0) {
    return;
  }
  cursor ??= { row: 0, column: map.seen.length - 1 };
  cursor.row = Math.min(cursor.row, lines.length - 1);
  if (event.key in steps) {
    const [x, y] = steps[event.key];
    cursor.column = Math.max(0, Math.min(map.seen.length - 1, cursor.column + x));
    cursor.row = Math.max(0, Math.min(lines.length - 1, cursor.row + y));
    const canvas = at("map").querySelectorAll("canvas")[cursor.row];
    canvas.scrollIntoView({ block: "nearest" });
    const place = canvas.getBoundingClientRect();
    point(lines[cursor.row], cursor.column, place.left + (place.width * (cursor.column + 0.5)) / map.seen.length, place.bottom);
    say(at("map-here"), describe(lines[cursor.row], cursor.column));
    event.preventDefault();
  } else if (event.key === "Enter" && !lines[cursor.row].prefix) {
    // Otherwise the same key press would close the dialog.
    event.preventDefault();
    tip.hidden = true;
    openExplanation(lines[cursor.row].key, lines[cursor.row].scope);
  } else if (event.key === "+") {
    const half = Math.max(2, Math.floor(map.seen.length / 4));
    zoom(Math.max(0, cursor.column - half), Math.min(map.seen.length, cursor.column + half));
  }
}

at("map").addEventListener("keydown", move);
at("map").addEventListener("blur", () => {
  tip.hidden = true;
});
at("zoom-out").addEventListener("click", () => show({ from: "", to: "" }, true));
at("map-form").addEventListener("click", () => {
  const table = at("map-table-box").hidden;
  at("map-table-box").hidden = !table;
  at("map").hidden = table;
  at("map-scale").hidden = table;
  at("map-form").setAttribute("aria-pressed", String(table));
  if (table && map !== null) {
    drawTable();
  }
});
