// The status page: asks the server every two seconds and shows what it said. Text from the server
// only ever becomes text of the page (textContent), never markup.

const EVERY_MS = 2000;
const GIVE_UP_MS = 4000;

const at = (id) => document.getElementById(id);
let settings = [];
let drawn = "";
let lastAnswer = null;

async function ask(path) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  try {
    return await fetch(path, { signal: giveUp.signal, cache: "no-store" });
  } finally {
    clearTimeout(timer);
  }
}

function say(state, text) {
  const place = at("state");
  if (place.textContent !== text) {
    place.textContent = text;
  }
  place.dataset.state = state;
  document.body.dataset.stale = String(state === "gone");
}

function list(place, lines) {
  place.replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
}

function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => whole >= size);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2);
  let rest = whole;
  return shown.map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return `${count} ${unit}`;
  }).join(" ");
}

function cell(text) {
  const td = document.createElement("td");
  td.textContent = text;
  return td;
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
      const row = document.createElement("tr");
      row.className = one.origin === "default" ? "" : "changed";
      row.append(cell(one.path), cell(one.value === null ? "–" : String(one.value)), cell(one.origin));
      return row;
    }));
  }
  at("shown").textContent = `${rows.length} of ${settings.length}`;
}

function drawConfig(config) {
  at("version").textContent = config.version ?? "–";
  at("uptime").textContent = typeof config.uptime_seconds === "number" ? duration(config.uptime_seconds) : "not told";
  const doors = Array.isArray(config.doors) ? config.doors : [];
  list(at("doors"), doors.length > 0 ? doors.map((door) => `${door.name}  ${door.address}`) : ["not told"]);
  settings = Array.isArray(config.settings) ? config.settings : [];
  drawSettings();
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

function numberCell(text) {
  const td = cell(text);
  td.className = "number";
  return td;
}

function drawHot(view) {
  const scopes = Array.isArray(view.scopes) ? view.scopes : [];
  const hot = scopes.reduce((sum, scope) => sum + scope.hot, 0);
  const tired = scopes.filter((scope) => scope.overloaded).map((scope) => scope.scope);
  let text = scopes.length === 0
    ? "No scope is open yet: nothing is counted."
    : hot === 0 ? "Nothing is hot." : hot === 1 ? "One key is hot." : `${whole.format(hot)} keys are hot.`;
  if (tired.length > 0) {
    text += ` Too much traffic for the sketch of ${tired.join(", ")}: widen it.`;
  }
  if (at("heat").textContent !== text) {
    at("heat").textContent = text;
  }
  const rows = scopes.flatMap((scope) => scope.keys.map((key) => ({ ...key, scope: scope.scope })));
  at("hot").replaceChildren(...rows.map((key) => {
    const row = document.createElement("tr");
    row.className = key.state === "cool" ? "" : "hot";
    row.append(
      cell(key.key), cell(key.scope), cell(key.state),
      numberCell(`${whole.format(key.rate)}/s`), numberCell(percent.format(key.share)),
      numberCell(whole.format(key.estimate)), numberCell(whole.format(key.error)),
      cell(key.since === null ? "–" : new Date(key.since).toLocaleTimeString()));
    return row;
  }));
}

async function refresh() {
  try {
    const [ready, config, hot] = await Promise.all([ask("/readyz"), ask("/api/v1/config"), ask("/api/v1/hot?n=10")]);
    const lines = (await ready.text()).trim().split("\n");
    if (!config.ok || !hot.ok) {
      throw new Error(`the server answered ${config.ok ? hot.status : config.status}`);
    }
    drawConfig(await config.json());
    drawHot(await hot.json());
    lastAnswer = new Date();
    at("answered").textContent = lastAnswer.toLocaleTimeString();
    say(ready.ok ? "ready" : "waiting", ready.ok ? "Ready" : "Not ready");
    const missing = ready.ok ? [] : lines.slice(1);
    list(at("missing"), missing);
    at("missing").hidden = missing.length === 0;
  } catch (failure) {
    const since = lastAnswer === null ? "" : `; what is below was true at ${lastAnswer.toLocaleTimeString()}`;
    const why = failure instanceof TypeError || failure.name === "AbortError" ? "The server is gone" : `Trouble: ${failure.message}`;
    say("gone", why + since);
  } finally {
    setTimeout(refresh, EVERY_MS);
  }
}

at("filter").addEventListener("input", drawSettings);
at("changed").addEventListener("change", drawSettings);
refresh();
