// The parts behind the doors: stores, tables, rate limits with their Redis, and the audit.

import { at, bytes, cell, element, numberCell, percent, say, whole } from "./format.js";

const MOST = 8;

function draw(section, place, rows) {
  at(section).hidden = rows.length === 0;
  at(place).replaceChildren(...rows);
}

function row(...cells) {
  const line = element("tr");
  line.append(...cells);
  return line;
}

async function json(ask, path) {
  const answer = await ask(path);
  return answer.ok ? answer.json() : null;
}

async function storeRow(ask, store) {
  const filter = await json(ask, `/api/v1/stores/${encodeURIComponent(store.name)}/filter`);
  const stats = store.stats;
  const asked = stats["read.absent"] + stats["filter.false_positives"];
  const measured = asked === 0 ? "nothing asked" : percent(stats["filter.false_positives"] / asked);
  const memory = ["data", "filter", "cache", "rings"].map((part) => `${part} ${bytes(stats[`bytes.${part}`])}`).join(", ");
  return row(
    cell(`${store.name} (${store.engine})`),
    numberCell(whole(stats["engine.calls"])), numberCell(whole(stats["engine.calls_saved"])),
    numberCell(filter === null ? "none" : `${percent(filter.load)}${filter.trusted ? "" : ", not trusted"}`),
    numberCell(filter === null ? "–" : `${measured}, aim ${filter.target_false_positive_rate}`),
    numberCell(whole(stats["write.hot_key_limited"])),
    cell(`${memory}, at most ${bytes(stats["bytes.max"])}`));
}

export async function drawStores(ask) {
  const view = await json(ask, "/api/v1/stores");
  draw("stores-section", "stores", await Promise.all((view?.stores ?? []).slice(0, MOST).map((store) => storeRow(ask, store))));
}

export async function drawTables(ask) {
  const view = await json(ask, "/api/v1/tables");
  const tables = (view?.tables ?? []).slice(0, MOST);
  const tops = await Promise.all(tables.map((table) => json(ask, `/api/v1/tables/${encodeURIComponent(table.table)}/top?n=5`)));
  const rows = tables.flatMap((table, i) => {
    const blocked = new Map((tops[i]?.blocked ?? []).map((block) => [block.key, block]));
    const clients = (tops[i]?.clients ?? []).map((client) => {
      const block = blocked.get(client.key);
      blocked.delete(client.key);
      return row(
        cell(client.key), cell(table.table), numberCell(`${client.rate.toFixed(1)}/s ± ${client.rate_error.toFixed(1)}`),
        numberCell(client.distinct === null ? "–" : `${whole(client.distinct.estimate)} ± ${whole(client.distinct.error)}`),
        cell(blockText(block)));
    });
    const others = [...blocked.values()].map((block) =>
      row(cell(block.key), cell(table.table), numberCell("–"), numberCell("–"), cell(blockText(block))));
    return [...clients, ...others];
  });
  at("tables-section").hidden = tables.length === 0;
  at("tables").replaceChildren(...rows);
  const modes = tables.map((table) =>
    `${table.table}: ${table.stats.size ?? 0} clients, ${table.blocks.size} blocked, ${table.rules.map((rule) => `${rule.rule} ${rule.mode}`).join(", ") || "no rules"}`);
  say(at("tables-note"), modes.join("; "));
}

const blockText = (block) => (block === undefined ? "no" : `by ${block.rule ?? "a rule that is gone"}, ${whole(block.seconds_left)} s left`);

export async function drawErrors(ask) {
  const view = await json(ask, "/api/v1/scopes");
  draw("errors-section", "errors", (view?.scopes ?? []).map((scope) => row(
    cell(scope.scope), numberCell(whole(scope.stats.touches)), numberCell(whole(scope.stats.error_bound)),
    numberCell(scope.audit.mean_error.toFixed(2)), numberCell(whole(scope.audit.max_error)), numberCell(whole(scope.audit.keys)),
    numberCell(scope.audit.due === 0 ? "none due" : `${percent(scope.audit_recall)} of ${whole(scope.audit.due)}`),
    numberCell(bytes(scope.stats.bytes)))));
}

// Prometheus text, as far as this page needs it: name, labels as they stand, value.
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

export async function drawLimits(ask) {
  const answer = await ask("/metrics");
  const text = answer.ok ? await answer.text() : "";
  const answers = series(text, "limit_answers_total");
  at("limits-section").hidden = answers.length === 0;
  const facts = answers.map((one) => [`Answered ${label(one.labels, "code")}`, whole(one.value)]);
  const flights = sum(text, "limit_flight_callers_count");
  if (series(text, "limit_flights_total").length > 0) {
    const mean = flights === 0 ? "–" : (sum(text, "limit_flight_callers_sum") / flights).toFixed(1);
    facts.push(
      ["Hot counters", whole(sum(text, "limit_hot_keys"))],
      ["Flights", whole(flights)],
      ["Callers per flight", flights === 0 ? "no flight yet" : `${mean} on average, half ${quantile(text, "limit_flight_callers", 0.5)}`],
      ["Redis calls saved", `${whole(sum(text, "limit_calls_saved_total"))}, would be ${whole(sum(text, "limit_calls_would_save_total"))}`]);
  }
  for (const redis of series(text, "redis_up")) {
    const name = label(redis.labels, "redis");
    const openings = series(text, "redis_breaker_openings_total").filter((one) => label(one.labels, "redis") === name);
    facts.push([`Redis ${name}`, `${redis.value === 1 ? "answers" : "does not answer"}; breaker opened ${whole(openings[0]?.value ?? 0)} times`]);
  }
  if (series(text, "limit_degraded").length > 0) {
    facts.push(["Answered without Redis", `${whole(sum(text, "limit_degraded_counts_total"))}${sum(text, "limit_degraded") > 0 ? ", now too" : ""}`]);
  }
  at("limits").replaceChildren(...facts.map(([name, value]) => {
    const pair = element("div");
    pair.append(element("dt", name), element("dd", value));
    return pair;
  }));
}
