// What is known about one key, in a dialog: first what to do, then why.

import { at, bytes, element, keyPath, percent, say, time, whole } from "./format.js";

const rate = (value) => `${whole(value)}/s`;
const dash = (value, show) => (value === null || value === undefined ? "–" : show(value));

const FACTS = [
  ["Rate", (k) => rate(k.rate)],
  ["Its baseline", (k) => (k.baseline_rate === null ? "not recorded yet" : rate(k.baseline_rate))],
  ["Peak", (k) => rate(k.peak_rate)],
  ["Share of the scope", (k) => percent(k.share)],
  ["Touches in the window", (k) => `${whole(k.estimate)} − at most ${whole(k.error)}`],
  ["Counted for certain", (k) => whole(k.guaranteed)],
  ["Hot since", (k) => time(k.since)],
  ["First and last seen", (k) => `${time(k.first_seen)}, ${time(k.last_seen)}`],
];

const USES = [
  ["Reads and writes", (c) => `${whole(c.reads)} and ${whole(c.writes)}`],
  ["Reads that found nothing", (c) => `${whole(c.misses)} (${percent(c.miss_share)})`],
  ["Refused writes", (c) => whole(c.throttled)],
  ["Bytes moved", (c) => bytes(c.bytes)],
  ["Commands", (c) => parts(c.commands, 6)],
  ["Callers", (c) => `about ${whole(c.distinct_clients)}`],
  ["Busiest caller", (c) => dash(c.busiest_client_share, (share) => `${percent(share)} of all uses`)],
];

const parts = (uses, most) => Object.entries(uses).slice(0, most).map(([name, count]) => `${name} ${whole(count)}`).join(", ");

function facts(list, known) {
  return list.map(([name, show]) => {
    const pair = element("div");
    pair.append(element("dt", name), element("dd", show(known)));
    return pair;
  });
}

function doneText(done) {
  return done.mode === "observe"
    ? `${done.action} (observe): would have saved ${whole(done.would_have_saved)} calls`
    : `${done.action} (${done.mode}): acted ${whole(done.applied)} times, saved ${whole(done.saved)} calls`;
}

function drawAdvice(advice) {
  at("explain-advice").hidden = advice === null;
  if (advice !== null) {
    say(at("explain-cause"), advice.says);
    say(at("explain-do"), advice.advice);
    say(at("explain-line"), advice.line);
    say(at("explain-effect"), advice.in_effect ? "This is in effect." : "Not in effect: set this line.");
  }
}

function draw(known) {
  say(at("explain-says"), `${known.state} in ${known.scope}, key hash ${known.key_hash}`);
  drawAdvice(known.recommendation);
  at("explain-facts").replaceChildren(...facts(FACTS, known), ...(known.context === null ? [] : facts(USES, known.context)));
  const clients = Object.entries(known.context?.clients ?? {}).slice(0, 5);
  at("explain-clients").replaceChildren(...clients.map(([name, uses]) => element("li", `${name}  about ${whole(uses)}`)));
  at("explain-clients-title").hidden = clients.length === 0;
  at("explain-done").replaceChildren(...known.done.map((done) => element("li", doneText(done))));
  at("explain-done-title").hidden = known.done.length === 0;
}

export function explainButton(key, scope) {
  const button = element("button", key, "key");
  button.type = "button";
  button.addEventListener("click", () => explain(key, scope));
  return button;
}

async function ask(key, scope) {
  const answer = await fetch(`/api/v1/keys/${keyPath(key)}?scope=${encodeURIComponent(scope)}`, { cache: "no-store" });
  const known = await answer.json();
  if (!answer.ok) {
    throw new Error(known.error ?? `the server answered ${answer.status}`);
  }
  return known;
}

// Why the hottest key is hot and what to do, in two sentences; nothing if nothing is hot.
export async function drawWhy(hottest) {
  const known = hottest === undefined || keyPath(hottest.key) === null ? null : await ask(hottest.key, hottest.scope);
  const advice = known?.recommendation ?? null;
  at("why").hidden = advice === null;
  if (advice !== null) {
    say(at("why-key"), known.key);
    say(at("why-says"), advice.says);
    say(at("why-do"), advice.in_effect ? `${advice.advice} Already in effect.` : `${advice.advice} Set ${advice.setting}.`);
  }
}

async function explain(key, scope) {
  say(at("explain-title"), key);
  say(at("explain-says"), "Asking…");
  drawAdvice(null);
  for (const id of ["explain-facts", "explain-clients", "explain-done"]) {
    at(id).replaceChildren();
  }
  at("explain").showModal();
  if (keyPath(key) === null) {
    say(at("explain-says"), "This key is too long to be asked about by its beginning alone.");
    return;
  }
  try {
    draw(await ask(key, scope));
  } catch (failure) {
    say(at("explain-says"), `It cannot be told: ${failure.message}`);
  }
}
