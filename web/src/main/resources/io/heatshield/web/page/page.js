// The page: loads the data of the current view every two seconds, and soon after a key turns hot or
// cools, and draws it.

import { ask, json } from "./api.js";
import { drawCharts, drawTiles, readSeries, seriesScopes } from "./charts.js";
import { drawExplanation, drawWhy, onExplainChange } from "./explain.js";
import { at, list, options, say, whole } from "./format.js";
import { drawHeat } from "./heat.js";
import { drawIncidents, drawNow, readIncidents } from "./incidents.js";
import { drawKeys } from "./keys.js";
import { drawParts } from "./parts.js";
import { drawModes, onModeChange } from "./protection.js";
import { drawSavings } from "./savings.js";
import { drawSettings, onSettingsChange } from "./settings.js";
import { linkTo, onShow, show, state } from "./state.js";

const REFRESH_MS = 2000;
const EVENT_DELAY_MS = 250;
const THEME = "heatshield.theme";

let lastUpdate = null;
let timer = null;
let soon = null;
let loading = false;
let again = false;

function status(kind, text) {
  say(at("state"), text);
  at("state").dataset.state = kind;
  at("verdict").dataset.state = kind;
  document.body.dataset.stale = String(kind === "gone");
}

function drawScopes(names) {
  const all = [...new Set([...names, ...seriesScopes(), ...(state.scope === "" ? [] : [state.scope])])].sort();
  options(at("scope"), [["", "all"], ...all.map((name) => [name, name])], state.scope);
}

function verdict(scopes) {
  const shown = scopes.filter((scope) => state.scope === "" || scope.scope === state.scope);
  const hot = shown.reduce((sum, scope) => sum + scope.hot, 0);
  const prefixes = shown.reduce((sum, scope) => sum + scope.prefixes.length, 0);
  const overloaded = shown.filter((scope) => scope.overloaded).map((scope) => scope.scope);
  const text = scopes.length === 0
    ? "No requests have been counted yet."
    : hot === 0 && prefixes === 0 ? "Nothing is hot."
      : hot === 0 ? "Many keys together are hot."
        : hot === 1 ? "One key is hot." : `${whole(hot)} keys are hot.`;
  const more = overloaded.length === 0 ? "" : ` Too much traffic to count ${overloaded.join(", ")} accurately: increase detect.width.`;
  return { hot: hot + prefixes, text: text + more };
}

function hotTotals(scopes) {
  const shown = scopes.filter((scope) => state.scope === "" || scope.scope === state.scope);
  const thresholds = [...new Set(shown.map((scope) => scope.threshold))];
  return {
    hot: shown.reduce((sum, scope) => sum + scope.hot, 0),
    tracked: shown.reduce((sum, scope) => sum + scope.tracked, 0),
    threshold: thresholds.length === 1 ? `${whole(thresholds[0])}/s` : "set per scope",
  };
}

function hottest(scopes) {
  return scopes
    .filter((scope) => state.scope === "" || scope.scope === state.scope)
    .flatMap((scope) => scope.keys.filter((key) => key.state !== "cool").map((key) => ({ ...key, scope: scope.scope })))
    .sort((a, b) => b.rate - a.rate)[0];
}

// Keys of a cluster can be grouped by slot; the URL shows whether the shield protects a cluster.
function drawGroups(config) {
  const cluster = config.settings.some((one) => one.path === "shield.url" && /cluster/.test(String(one.value)));
  const groups = [["prefix", "prefix"], ["scope", "scope"], ...(cluster ? [["slot", "slot"]] : []), ["none", "nothing"]];
  options(at("group"), groups, state.group);
}

// The fleet option is shown only if a fleet is configured.
function drawFleetChoice(config) {
  at("fleet").parentElement.hidden = !config.settings.some((one) => one.path.startsWith("fleet."));
}

function firstRange(config) {
  if (state.range === "") {
    const up = config.uptime_seconds ?? 3600;
    show({ range: up < 120 ? "2" : up < 300 ? "5" : "15" });
  }
  at("range").value = state.range;
}

async function drawView(config, savings) {
  const incidents = state.view === "overview" || state.view === "incidents" ? await readIncidents(state.view === "incidents") : null;
  switch (state.view) {
    case "overview":
      await readSeries();
      drawCharts();
      drawNow(incidents);
      drawModes(config.settings, savings);
      await drawHeat();
      break;
    case "keys": await drawKeys(); break;
    case "incidents": drawIncidents(incidents); break;
    case "savings": drawSavings(savings); break;
    case "parts": await drawParts(); break;
    default: break;
  }
  return incidents;
}

function explain(hot) {
  return Promise.allSettled([drawWhy(hottest(hot.scopes)), drawExplanation()]);
}

async function refresh() {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  clearTimeout(timer);
  try {
    const [ready, config, hot, savings] = await Promise.all([ask("/readyz"), json("/api/v1/config"), json("/api/v1/hot?n=1"), json("/api/v1/savings")]);
    const lines = (await ready.text()).trim().split("\n");
    firstRange(config);
    drawGroups(config);
    drawFleetChoice(config);
    drawSettings(config);
    drawScopes(hot.scopes.map((scope) => scope.scope));
    const incidents = await drawView(config, savings);
    if (state.view === "overview") {
      drawTiles(hotTotals(hot.scopes), incidents);
    }
    await explain(hot);
    const summary = verdict(hot.scopes);
    document.title = summary.hot > 0 ? `(${whole(summary.hot)} hot) Heatshield` : "Heatshield";
    lastUpdate = new Date();
    say(at("answered"), lastUpdate.toLocaleTimeString());
    status(ready.ok ? (summary.hot > 0 ? "hot" : "calm") : "waiting", ready.ok ? summary.text : `Not ready. ${summary.text}`);
    const missing = ready.ok ? [] : lines.slice(1);
    list(at("missing"), missing);
    at("missing").hidden = missing.length === 0;
  } catch (failure) {
    const since = lastUpdate === null ? "." : `; showing the data of ${lastUpdate.toLocaleTimeString()}.`;
    const why = failure instanceof TypeError || failure.name === "AbortError" ? "The server is unavailable" : `Error: ${failure.message}`;
    status("gone", why + since);
    console.warn(failure);
  } finally {
    loading = false;
    timer = setTimeout(refresh, again ? 0 : REFRESH_MS);
    again = false;
  }
}

// Limits updates by events to four per second, however many keys change.
function refreshSoon() {
  soon ??= setTimeout(() => {
    soon = null;
    refresh();
  }, EVENT_DELAY_MS);
}

function drawFrame() {
  document.querySelectorAll("[data-panel]").forEach((panel) => {
    panel.hidden = panel.dataset.panel !== state.view;
  });
  document.querySelectorAll("nav a, #now-all").forEach((link) => {
    link.href = linkTo({ view: link.dataset.view ?? "incidents" });
    if (link.dataset.view === state.view) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  });
  for (const id of ["q", "prefix"]) {
    if (at(id) !== document.activeElement) {
      at(id).value = state[id];
    }
  }
  at("fleet").checked = state.fleet !== "";
}

function drawTheme() {
  const chosen = localStorage.getItem(THEME);
  const dark = chosen === null ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  if (chosen === null) {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = chosen;
  }
  say(at("theme"), dark ? "Light" : "Dark");
  at("theme").setAttribute("aria-label", dark ? "Use light colours" : "Use dark colours");
  drawCharts(true);
}

if (![...document.querySelectorAll("[data-panel]")].some((panel) => panel.dataset.panel === state.view)) {
  show({ view: "overview" });
}
at("scope").addEventListener("input", () => show({ scope: at("scope").value, page: "0" }));
at("range").addEventListener("input", () => show({ range: at("range").value, from: "", to: "" }));
at("group").addEventListener("input", () => show({ group: at("group").value }));
at("skip").addEventListener("click", (event) => {
  event.preventDefault();
  at("main").focus();
});
at("theme").addEventListener("click", () => {
  const dark = at("theme").textContent === "Light";
  localStorage.setItem(THEME, dark ? "light" : "dark");
  drawTheme();
  refresh();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTheme);
addEventListener("popstate", () => refresh());
onShow((changes) => {
  drawFrame();
  if ("key" in changes) {
    drawExplanation();
  }
  if (!("range" in changes) || Object.keys(changes).length > 1) {
    refresh();
  }
});
[onModeChange, onExplainChange, onSettingsChange].forEach((listen) => listen(refresh));

drawFrame();
drawTheme();
const events = new EventSource("/api/v1/events");
events.addEventListener("hot", refreshSoon);
events.addEventListener("cool", refreshSoon);
// The browser reopens the stream after a disconnect; refresh immediately to show what was missed.
events.addEventListener("open", refresh);
refresh();
