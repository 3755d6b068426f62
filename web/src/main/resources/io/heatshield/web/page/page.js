// The page: asks the server every two seconds, at once when a key turns hot or cools, for what the
// present view shows, and draws it.

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

const EVERY_MS = 2000;
const CALM_MS = 250;
const THEME = "heatshield.theme";

let lastAnswer = null;
let timer = null;
let soon = null;
let asking = false;
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
  const tired = shown.filter((scope) => scope.overloaded).map((scope) => scope.scope);
  const text = scopes.length === 0
    ? "Nothing is counted yet."
    : hot === 0 && prefixes === 0 ? "Nothing is hot."
      : hot === 0 ? "Many keys together are hot."
        : hot === 1 ? "One key is hot." : `${whole(hot)} keys are hot.`;
  const more = tired.length === 0 ? "" : ` Too much traffic to count ${tired.join(", ")} exactly: raise detect.width.`;
  return { hot: hot + prefixes, text: text + more };
}

function hotTotals(scopes) {
  const shown = scopes.filter((scope) => state.scope === "" || scope.scope === state.scope);
  const thresholds = [...new Set(shown.map((scope) => scope.threshold))];
  return {
    hot: shown.reduce((sum, scope) => sum + scope.hot, 0),
    tracked: shown.reduce((sum, scope) => sum + scope.tracked, 0),
    threshold: thresholds.length === 1 ? `${whole(thresholds[0])}/s` : "its own rate",
  };
}

function hottest(scopes) {
  return scopes
    .filter((scope) => state.scope === "" || scope.scope === state.scope)
    .flatMap((scope) => scope.keys.filter((key) => key.state !== "cool").map((key) => ({ ...key, scope: scope.scope })))
    .sort((a, b) => b.rate - a.rate)[0];
}

// A cluster's keys can be grouped by slot; that a shield stands before one shows in its address.
function drawGroups(config) {
  const cluster = config.settings.some((one) => one.path === "shield.url" && /cluster/.test(String(one.value)));
  const groups = [["prefix", "prefix"], ["scope", "scope"], ...(cluster ? [["slot", "slot"]] : []), ["none", "nothing"]];
  options(at("group"), groups, state.group);
}

// What belongs to a fleet is shown where there is one.
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
  if (asking) {
    again = true;
    return;
  }
  asking = true;
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
    const said = verdict(hot.scopes);
    document.title = said.hot > 0 ? `(${whole(said.hot)} hot) Heatshield` : "Heatshield";
    lastAnswer = new Date();
    say(at("answered"), lastAnswer.toLocaleTimeString());
    status(ready.ok ? (said.hot > 0 ? "hot" : "calm") : "waiting", ready.ok ? said.text : `Not ready. ${said.text}`);
    const missing = ready.ok ? [] : lines.slice(1);
    list(at("missing"), missing);
    at("missing").hidden = missing.length === 0;
  } catch (failure) {
    const since = lastAnswer === null ? "." : `; what is below was true at ${lastAnswer.toLocaleTimeString()}.`;
    const why = failure instanceof TypeError || failure.name === "AbortError" ? "The server does not answer" : `Something is wrong: ${failure.message}`;
    status("gone", why + since);
    console.warn(failure);
  } finally {
    asking = false;
    timer = setTimeout(refresh, again ? 0 : EVERY_MS);
    again = false;
  }
}

// However many keys turn at once, the page asks for all of them together, four times a second at most.
function refreshSoon() {
  soon ??= setTimeout(() => {
    soon = null;
    refresh();
  }, CALM_MS);
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
// After the server was away the stream opens anew by itself; what happened meanwhile is asked for at once.
events.addEventListener("open", refresh);
refresh();
