// The heat map: a row for each key or prefix, a column for each stretch of time, colour for rate.

import { at, cell, element, numberCell, say, whole } from "./format.js";
import { explainButton } from "./explain.js";

const MOST_COLUMNS = 180;
const MOMENTS_A_MINUTE = 6;

// Rates differ by orders of magnitude, so colour goes by their logarithm.
const depth = (rate, highest) => (rate <= 0 ? 0 : Math.log1p(rate) / Math.log1p(highest));

function strip(row, map, highest, colours) {
  const canvas = element("canvas");
  canvas.width = map.seen.length;
  canvas.height = 1;
  const pen = canvas.getContext("2d");
  row.rates.forEach((rate, i) => {
    pen.globalAlpha = map.seen[i] ? 1 : 0.25;
    pen.fillStyle = colours.ground;
    pen.fillRect(i, 0, 1, 1);
    pen.globalAlpha = depth(rate, highest);
    pen.fillStyle = colours.heat;
    pen.fillRect(i, 0, 1, 1);
  });
  const when = row.rates.indexOf(Math.max(...row.rates));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `peak of ${whole(row.peak)} per second at ${moment(map, when)}`);
  canvas.addEventListener("mousemove", (event) => {
    const i = Math.min(map.seen.length - 1, Math.floor((event.offsetX / canvas.clientWidth) * map.seen.length));
    const rate = map.seen[i] ? `${whole(row.rates[i])}/s` : "not recorded";
    canvas.title = `${moment(map, i)}: ${rate}`;
  });
  return canvas;
}

function moment(map, column) {
  const from = Date.parse(map.from);
  const width = (Date.parse(map.to) - from) / map.seen.length;
  return new Date(from + width * column).toLocaleTimeString();
}

export async function drawHeat(ask, scope, prefix) {
  const minutes = at("minutes").value;
  const columns = Math.min(MOST_COLUMNS, minutes * MOMENTS_A_MINUTE);
  const wanted = scope === "" ? "" : `&scope=${encodeURIComponent(scope)}`;
  const answer = await ask(`/api/v1/history?minutes=${minutes}&columns=${columns}&n=40${wanted}`);
  const map = await answer.json();
  const rows = map.rows.filter((row) => row.key.startsWith(prefix)).slice(0, 20);
  const highest = Math.max(1, ...rows.map((row) => row.peak));
  const style = getComputedStyle(document.documentElement);
  const colours = { heat: style.getPropertyValue("--heat"), ground: style.getPropertyValue("--line") };
  at("map").replaceChildren(...rows.map((row) => {
    const line = element("tr");
    const name = element("td");
    name.append(row.prefix ? element("span", `${row.key}*`) : explainButton(row.key, row.scope));
    const picture = cell();
    picture.append(strip(row, map, highest, colours));
    line.append(name, numberCell(`${whole(row.peak)}/s`), picture);
    return line;
  }));
  say(at("map-span"), `Rate from ${moment(map, 0)} to ${moment(map, map.seen.length)}`);
  say(at("map-note"), rows.length === 0 ? "Nothing is recorded yet; a moment is kept every 10 seconds." : "");
}
