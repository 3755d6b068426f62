// The components of the server: scopes with their accuracy, stores, tables, rate limits and the fleet.

import { ask, maybe } from "./api.js";
import { amount, at, bytes, cell, element, missing, numberCell, percent, rate, row, say, whole } from "./format.js";
import { linkTo, state } from "./state.js";
import { scopeKind } from "./words.js";

const MOST = 8;

const wanted = (name) => state.scope === "" || state.scope === name;

function draw(section, place, rows) {
  at(section).hidden = rows.length === 0;
  at(place).replaceChildren(...rows);
}

async function storeRow(store) {
  const filter = await maybe(`/api/v1/stores/${encodeURIComponent(store.name)}/filter`);
  const stats = store.stats;
  const asked = stats["read.absent"] + stats["filter.false_positives"];
  const measured = asked === 0 ? "not measured" : percent(stats["filter.false_positives"] / asked);
  const memory = ["data", "filter", "cache", "rings"].map((part) => `${part} ${bytes(stats[`bytes.${part}`])}`).join(", ");
  const fault = store.writable === false ? `; not writable: ${store.write_fault}` : "";
  return row("",
    cell(`${store.name} (${store.engine})${fault}`),
    numberCell(whole(stats["engine.calls"])), numberCell(whole(stats["engine.calls_saved"])),
    numberCell(filter === null ? "none" : `${percent(filter.load)}${filter.trusted ? "" : ", not trusted"}`),
    numberCell(filter === null ? "–" : `${measured}, target ${percent(filter.target_false_positive_rate)}`),
    numberCell(whole(stats["write.hot_key_limited"])),
    cell(`${memory}, at most ${bytes(stats["bytes.max"])}`));
}

async function drawStores() {
  const view = await maybe("/api/v1/stores");
  const stores = view?.stores ?? [];
  draw("stores-section", "stores", await Promise.all(stores.filter((store) => wanted(store.name)).slice(0, MOST).map(storeRow)));
  return stores.map((store) => store.name);
}

async function drawTables() {
  const view = await maybe("/api/v1/tables");
  const all = view?.tables ?? [];
  const tables = all.filter((table) => wanted(table.table) || wanted(`table:${table.table}`)).slice(0, MOST);
  const tops = await Promise.all(tables.map((table) => maybe(`/api/v1/tables/${encodeURIComponent(table.table)}/top?n=5`)));
  const rows = tables.flatMap((table, i) => {
    const blocked = new Map((tops[i]?.blocked ?? []).map((block) => [block.key, block]));
    const clients = (tops[i]?.clients ?? []).map((client) => {
      const block = blocked.get(client.key);
      blocked.delete(client.key);
      return row("",
        cell(client.key), cell(table.table), numberCell(`${client.rate.toFixed(1)} ± ${client.rate_error.toFixed(1)}`),
        numberCell(client.distinct === null ? "–" : `${whole(client.distinct.estimate)} ± ${whole(client.distinct.error)}`),
        cell(blockText(block)));
    });
    const others = [...blocked.values()].map((block) =>
      row("", cell(block.key), cell(table.table), numberCell("–"), numberCell("–"), cell(blockText(block))));
    return [...clients, ...others];
  });
  at("tables-section").hidden = tables.length === 0;
  at("tables").replaceChildren(...rows);
  const modes = tables.map((table) =>
    `${table.table}: ${table.stats.size ?? 0} clients, ${table.blocks.size} blocked, ${table.rules.map((rule) => `${rule.rule} ${rule.mode}`).join(", ") || "no rules"}`);
  say(at("tables-note"), modes.join("; "));
  return all.map((table) => table.table);
}

const blockText = (block) => (block === undefined ? "no" : `by ${block.rule ?? "a deleted rule"}, ${whole(block.seconds_left)} s left`);

async function drawScopes(parts) {
  const view = await maybe("/api/v1/scopes");
  at("errors").replaceChildren(...(view?.scopes ?? []).filter((scope) => wanted(scope.scope)).map((scope) => {
    const name = element("td");
    const link = element("a", scope.scope);
    link.href = linkTo({ view: "overview", scope: scope.scope });
    name.append(link);
    return row("",
      name, cell(scopeKind(scope.scope, parts)), numberCell(amount(scope.stats.hot)), numberCell(rate(scope.threshold)), numberCell(whole(scope.stats.touches)), numberCell(whole(scope.stats.error_bound)),
      numberCell(scope.audit.mean_error.toFixed(2)), numberCell(whole(scope.audit.max_error)),
      numberCell(scope.audit.due === 0 ? "none" : `${percent(scope.audit_recall)} of ${whole(scope.audit.due)}`),
      numberCell(bytes(scope.stats.bytes)));
  }));
}

async function drawFleet() {
  const fleet = (await maybe("/api/v1/hot?n=1&fleet=true"))?.fleet;
  const nodes = fleet?.nodes ?? [];
  at("fleet-section").hidden = nodes.length === 0;
  at("nodes").replaceChildren(...nodes.map((node) => row("", cell(node.node), cell(node.state), cell(node.why ?? ""))));
}

// Parses the Prometheus text of a metric: raw labels and value.
function series(text, name) {
  const found = [];
  for (const line of text.split("\n")) {
    const match = /^heatshield_([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match !== null && match[1] === name) {
      found.push({ labels: match[2] ?? "", value: Number(match[3]) });
    }
  }
  return found;
}

const sum = (text, name) => series(text, name).reduce((total, one) => total + one.value, 0);
const label = (labels, name) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "";

function quantile(text, name, part) {
  const buckets = series(text, `${name}_bucket`);
  const all = buckets.length === 0 ? 0 : buckets[buckets.length - 1].value;
  const at = buckets.find((one) => all > 0 && one.value >= part * all);
  return at === undefined ? "–" : `at most ${label(at.labels, "le")}`;
}

async function drawLimits() {
  const answer = await ask("/metrics");
  const text = answer.ok ? await answer.text() : "";
  const answers = series(text, "limit_answers_total");
  at("limits-section").hidden = answers.length === 0;
  const facts = answers.map((one) => [`Responses ${label(one.labels, "code").replace("_", " ")}`, whole(one.value)]);
  const flights = sum(text, "limit_flight_callers_count");
  if (series(text, "limit_flights_total").length > 0) {
    const mean = flights === 0 ? "–" : (sum(text, "limit_flight_callers_sum") / flights).toFixed(1);
    facts.push(
      ["Hot counters", whole(sum(text, "limit_hot_keys"))],
      ["Coalesced calls", whole(flights)],
      ["Callers per coalesced call", flights === 0 ? "none yet" : `${mean} on average, median ${quantile(text, "limit_flight_callers", 0.5)}`],
      ["Redis calls saved", `${whole(sum(text, "limit_calls_saved_total"))}, would be ${whole(sum(text, "limit_calls_would_save_total"))}`]);
  }
  for (const redis of series(text, "redis_up")) {
    const name = label(redis.labels, "redis");
    const openings = series(text, "redis_breaker_openings_total").filter((one) => label(one.labels, "redis") === name);
    facts.push([`Redis ${name}`, `${redis.value === 1 ? "available" : "unavailable"}; breaker opened ${whole(openings[0]?.value ?? 0)} times`]);
  }
  if (series(text, "limit_degraded").length > 0) {
    facts.push(["Decided without Redis", `${whole(sum(text, "limit_degraded_counts_total"))}${sum(text, "limit_degraded") > 0 ? ", also now" : ""}`]);
  }
  at("limits").replaceChildren(...facts.map(([name, value]) => {
    const pair = element("div");
    pair.append(element("dt", name), element("dd", value));
    return pair;
  }));
  return answers.length > 0;
}

const usage = (used) => (missing(used) ? "not measured" : bytes(used));

// Shows the memory plan of the whole process beside what is used, largest part first.
async function drawMemory() {
  const view = await maybe("/api/v1/memory");
  const parts = [...(view?.parts ?? [])].sort((a, b) => b.planned - a.planned);
  draw("memory-section", "memory", parts.map((part) => row("",
    cell(`${part.owner}: ${part.name}`), cell(part.area), numberCell(usage(part.used)), numberCell(bytes(part.planned)), cell(part.setting))));
  if (view !== null) {
    const areas = [["Heap", view.heap], ["Direct memory", view.direct], ["Whole process", view.total]];
    say(at("memory-note"), areas.map(([name, area]) =>
      `${name}: ${usage(area.used)} used, at most ${bytes(area.planned)} planned, ${bytes(area.max)} available`).join(". ") + ".");
  }
}

// A failed component does not affect the others.
export async function drawParts() {
  const results = await Promise.allSettled([drawStores(), drawTables(), drawLimits(), drawFleet(), drawMemory()]);
  results.filter((one) => one.status === "rejected").forEach((one) => console.warn(one.reason));
  const [stores, tables, limits] = results.map((one) => one.value);
  await drawScopes({ stores: stores ?? [], tables: tables ?? [], limits: limits === true });
}
