// The page: asks the server every two seconds, at once when a key turns hot or cools, and shows
// what it said.

import { at, cell, duration, element, list, numberCell, percent, say, time, whole } from "./format.js";
import { drawWhy, explainButton } from "./explain.js";
import { drawHeat } from "./heat.js";
import { drawErrors, drawLimits, drawStores, drawTables } from "./parts.js";
import { actionsOf, drawSavings } from "./savings.js";

const EVERY_MS = 2000;
const GIVE_UP_MS = 4000;
const CALM_MS = 250;
const MOST_ROWS = 50;
const MOST_COOL = 12;
const PARTS_EVERY = 3;

let settings = [];
let overridden = [];
let drawn = "";
let lastAnswer = null;
let timer = null;
let soon = null;
let asking = false;
let counted = null;
let round = 0;
let spanChosen = false;

async function ask(path, options) {
  const giveUp = new AbortController();
  const late = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  try {
    return await fetch(path, { ...options, signal: giveUp.signal, cache: "no-store" });
  } finally {
    clearTimeout(late);
  }
}

function tell(state, text) {
  say(at("state"), text);
  at("state").dataset.state = state;
  document.body.dataset.stale = String(state === "gone");
}

function drawSettings() {
  const wanted = at("filter").value.trim().toLowerCase();
  const onlyChanged = at("changed").checked;
  const rows = settings.filter((one) =>
    (!onlyChanged || one.origin !== "default")
    && (wanted === "" || `${one.path} ${one.value}`.toLowerCase().includes(wanted)));
  const picture = JSON.stringify(rows);
  if (picture !== drawn) {
    drawn = picture;
    at("rows").replaceChildren(...rows.map((one) => {
      const row = element("tr", undefined, one.origin === "default" ? "" : "changed");
      row.append(cell(one.path), cell(one.value === null ? "–" : String(one.value)), cell(one.origin));
      return row;
    }));
  }
  say(at("shown"), `${rows.length} of ${settings.length}`);
}

// Which live changes win over the file now, and which modes may be changed.
function drawLive() {
  const live = settings.filter((one) => one.origin === "live").map((one) => {
    const saved = overridden.find((other) => other.path === one.path);
    return `${one.path} = ${one.value}${saved ? ` in place of ${saved.value} (${saved.origin})` : ""}`;
  });
  say(at("winner"), live.length === 0
    ? "The file and the defaults are in effect; a live change wins over them until the file is saved again or the server restarts."
    : `A live change wins over the file: ${live.join("; ")}. It holds until the file is saved again or the server restarts.`);
  const modes = settings.filter((one) => /(^|[.])mode$/.test(one.path));
  const place = at("mode-path");
  const names = JSON.stringify(modes.map((one) => [one.path, one.value]));
  if (names !== place.dataset.names) {
    const chosen = place.value;
    place.dataset.names = names;
    place.replaceChildren(...[{ path: "", value: "" }, ...modes].map((one) => {
      const option = element("option", one.path === "" ? "no mode" : `${one.path} (${one.value})`);
      option.value = one.path;
      return option;
    }));
    place.value = chosen;
  }
}

function drawConfig(config) {
  say(at("version"), config.version ?? "–");
  say(at("uptime"), typeof config.uptime_seconds === "number" ? duration(config.uptime_seconds) : "not told");
  if (!spanChosen && typeof config.uptime_seconds === "number") {
    spanChosen = true;
    at("minutes").value = config.uptime_seconds < 180 ? "3" : config.uptime_seconds < 600 ? "10" : "60";
  }
  const doors = Array.isArray(config.doors) ? config.doors : [];
  list(at("doors"), doors.length > 0 ? doors.map((door) => `${door.name}  ${door.address}`) : ["not told"]);
  settings = Array.isArray(config.settings) ? config.settings : [];
  overridden = Array.isArray(config.overridden) ? config.overridden : [];
  drawLive();
  for (const [id, path] of [["threshold", "detect.threshold"], ["window", "detect.window"]]) {
    at(id).placeholder = String(settings.find((one) => one.path === path)?.value ?? "");
  }
  drawSettings();
}

function drawScopes(scopes) {
  const names = scopes.map((scope) => scope.scope);
  const place = at("scope");
  if (JSON.stringify(names) !== place.dataset.names) {
    const chosen = place.value;
    place.dataset.names = JSON.stringify(names);
    place.replaceChildren(...["", ...names].map((name) => {
      const option = element("option", name === "" ? "all" : name);
      option.value = name;
      return option;
    }));
    place.value = names.includes(chosen) ? chosen : "";
  }
}

function heatText(scopes) {
  const hot = scopes.reduce((sum, scope) => sum + scope.hot, 0);
  const tired = scopes.filter((scope) => scope.overloaded).map((scope) => scope.scope);
  const text = scopes.length === 0
    ? "No scope is open yet: nothing is counted."
    : hot === 0 ? "Nothing is hot." : hot === 1 ? "One key is hot." : `${whole(hot)} keys are hot.`;
  return tired.length === 0 ? text : `${text} Too much traffic for the sketch of ${tired.join(", ")}: widen it.`;
}

function hotRow(key, actions) {
  const row = element("tr", undefined, key.state === "cool" ? "" : "hot");
  const name = element("td");
  name.append(key.prefix ? element("span", `${key.key}*`) : explainButton(key.key, key.scope));
  row.append(
    name, cell(key.scope), cell(key.state),
    numberCell(`${whole(key.rate)}/s`), numberCell(key.share === undefined ? "–" : percent(key.share)),
    numberCell(whole(key.estimate)), numberCell(whole(key.error)), cell(time(key.since)),
    cell(key.state === "cool" ? "" : actions.length === 0 ? "none yet" : actions.join(", ")));
  return row;
}

function hotPath() {
  return at("fleet").checked ? "/api/v1/hot?n=50&fleet=true" : "/api/v1/hot?n=50";
}

function fleetText(fleet, scopes) {
  if (fleet.local_only) {
    return `Local only, this node's own numbers: ${fleet.local_only}.`;
  }
  const live = fleet.nodes.filter((node) => node.state === "live").length;
  const amiss = fleet.nodes.filter((node) => node.state !== "live" || node.why).map((node) => `${node.node} is ${node.state}: ${node.why}.`);
  const saved = fleet.savings.reduce((sum, one) => sum + one.saved, 0);
  const counted = scopes.map((one) => `${one.scope}: keys ${one.at_least ? "at least" : "about"} ${whole(one.distinct)}, touches ${whole(one.touches)}.`);
  return [`Fleet ${fleet.name}: ${live} of ${fleet.nodes.length} nodes live, ${whole(saved)} calls saved.`, ...amiss, ...counted].join(" ");
}

function drawHot(view, actions) {
  at("fleet-note").hidden = !view.fleet;
  say(at("fleet-note"), view.fleet ? fleetText(view.fleet, view.scopes) : "");
  const scopes = Array.isArray(view.scopes) ? view.scopes : [];
  say(at("heat"), heatText(scopes));
  const hot = scopes.reduce((sum, scope) => sum + scope.hot + scope.prefixes.length, 0);
  at("heat").dataset.hot = String(hot > 0);
  document.title = hot > 0 ? `(${whole(hot)} hot) Heatshield` : "Heatshield";
  drawScopes(scopes);
  const wanted = at("scope").value;
  const rows = scopes
    .filter((scope) => wanted === "" || scope.scope === wanted)
    .flatMap((scope) => [
      ...scope.prefixes.map((one) => ({ ...one, key: one.prefix, prefix: true, state: "hot", scope: scope.scope })),
      ...scope.keys.map((key) => ({ ...key, scope: scope.scope })),
    ])
    .filter((key) => key.key.startsWith(at("prefix").value))
    .sort((a, b) => b.rate - a.rate)
    .filter((key, i) => i < MOST_COOL || key.state !== "cool")
    .slice(0, MOST_ROWS);
  drawWhy(rows.find((key) => !key.prefix && key.state !== "cool")).catch((failure) => console.warn(failure));
  if (!at("hot").contains(document.activeElement)) {
    at("hot").replaceChildren(...rows.map((key) => hotRow(key, actions.get(key.scope) ?? [])));
  }
}

function drawRates(scopes) {
  const now = { touches: scopes.reduce((all, scope) => all + scope.touches, 0), at: performance.now() };
  if (counted !== null && now.at - counted.at > 500) {
    say(at("touch-rate"), `${whole(Math.max(0, ((now.touches - counted.touches) * 1000) / (now.at - counted.at)))}/s`);
  }
  if (counted === null || now.at - counted.at > 1500) {
    counted = now;
  }
}

// What changes slowly, or costs more to tell, is asked for less often; a part that fails leaves the others.
async function drawParts() {
  const parts = [drawStores, drawTables, drawErrors, drawLimits];
  const done = await Promise.allSettled(parts.map((draw) => draw(ask)));
  done.filter((one) => one.status === "rejected").forEach((one) => console.warn(one.reason));
}

async function refresh() {
  if (asking) {
    return;
  }
  asking = true;
  clearTimeout(timer);
  try {
    const [ready, config, hot, savings, stats] = await Promise.all(
      ["/readyz", "/api/v1/config", hotPath(), "/api/v1/savings", "/api/v1/stats"].map((path) => ask(path)));
    const lines = (await ready.text()).trim().split("\n");
    const bad = [config, hot, savings, stats].find((answer) => !answer.ok);
    if (bad) {
      throw new Error(`the server answered ${bad.status}`);
    }
    drawConfig(await config.json());
    const saved = await savings.json();
    drawSavings(saved);
    drawHot(await hot.json(), actionsOf(saved));
    drawRates((await stats.json()).scopes);
    if (round++ % PARTS_EVERY === 0) {
      drawParts();
    }
    if (!at("map").contains(document.activeElement)) {
      await drawHeat(ask, at("scope").value, at("prefix").value);
    }
    lastAnswer = new Date();
    say(at("answered"), lastAnswer.toLocaleTimeString());
    tell(ready.ok ? "ready" : "waiting", ready.ok ? "Ready" : "Not ready");
    const missing = ready.ok ? [] : lines.slice(1);
    list(at("missing"), missing);
    at("missing").hidden = missing.length === 0;
  } catch (failure) {
    const since = lastAnswer === null ? "" : `; what is below was true at ${lastAnswer.toLocaleTimeString()}`;
    const why = failure instanceof TypeError || failure.name === "AbortError" ? "The server is gone" : `Trouble: ${failure.message}`;
    tell("gone", why + since);
  } finally {
    asking = false;
    timer = setTimeout(refresh, EVERY_MS);
  }
}

async function change(event) {
  event.preventDefault();
  const wanted = { detect: {} };
  if (at("threshold").value !== "") {
    wanted.detect.threshold = Number(at("threshold").value);
  }
  if (at("window").value !== "") {
    wanted.detect.window = at("window").value.trim();
  }
  if (at("mode-path").value !== "") {
    wanted[at("mode-path").value] = at("mode").value;
  }
  try {
    const answer = await ask("/api/v1/config", {
      method: "PATCH",
      headers: { Authorization: `Bearer ${at("token").value}`, "Content-Type": "application/json" },
      body: JSON.stringify(wanted),
    });
    const text = await answer.text();
    say(at("changed-note"), answer.ok ? "Changed, from the next touch on." : `Refused (${answer.status}): ${text.slice(0, 300)}`);
    refresh();
  } catch (failure) {
    say(at("changed-note"), `Not changed: ${failure.message}`);
  }
}

at("filter").addEventListener("input", drawSettings);
at("changed").addEventListener("change", drawSettings);
at("change").addEventListener("submit", change);
for (const id of ["scope", "prefix", "minutes", "fleet"]) {
  at(id).addEventListener("input", refresh);
}
// However many keys turn at once, the page asks for all of them together, four times a second at most.
function refreshSoon() {
  soon ??= setTimeout(() => {
    soon = null;
    refresh();
  }, CALM_MS);
}

const events = new EventSource("/api/v1/events");
events.addEventListener("hot", refreshSoon);
events.addEventListener("cool", refreshSoon);
// After the server was away the stream opens anew by itself; what happened meanwhile is asked for at once.
events.addEventListener("open", refresh);
refresh();
