// The explanation of a key in a dialog: cause, protection, recommendation and numbers.

import { change, json } from "./api.js";
import { at, bytes, element, keyPath, missing, percent, rate, say, time, whole } from "./format.js";
import { show, state, token } from "./state.js";
import { actionName } from "./words.js";

const FACTS = [
  ["Requests", (k) => rate(k.rate), "Now"],
  ["Usually", (k) => (missing(k.baseline_rate) ? "not recorded yet" : rate(k.baseline_rate)), "The median rate of the hour before it turned hot"],
  ["Peak", (k) => rate(k.peak_rate), "The highest observed rate"],
  ["Share of the scope", (k) => percent(k.share), "Share of all requests of the scope"],
  ["Requests in the window", (k) => `${whole(k.estimate)}, too high by at most ${whole(k.error)}`, "The estimate from which the rate is derived"],
  ["Guaranteed requests", (k) => whole(k.guaranteed), "Never above the true number"],
  ["Hot since", (k) => time(k.since), "When it turned hot"],
  ["First and last seen", (k) => `${time(k.first_seen)}, ${time(k.last_seen)}`, "Since the key has been tracked"],
];

const USES = [
  ["Reads and writes", (c) => `${whole(c.reads)} and ${whole(c.writes)}`, "Since it turned hot"],
  ["Reads that found nothing", (c) => `${whole(c.misses)} (${percent(c.miss_share)})`, "The key did not exist"],
  ["Throttled writes", (c) => whole(c.throttled), "Because the key is hot"],
  ["Traffic", (c) => bytes(c.bytes), "Of commands and replies"],
  ["Commands", (c) => pairs(c.commands, 6), "Since it turned hot"],
  ["Clients", (c) => `about ${whole(c.distinct_clients)}`, "Different clients"],
  ["Busiest client", (c) => (missing(c.busiest_client_share) ? "–" : `${percent(c.busiest_client_share)} of all requests`), "Estimated from a sample"],
];

let onChanged = () => {};
let offered = null;

const pairs = (uses, most) => Object.entries(uses).slice(0, most).map(([name, count]) => `${name} ${whole(count)}`).join(", ");

function facts(list, known) {
  return list.map(([name, text, hint]) => {
    const pair = element("div");
    pair.title = hint;
    pair.append(element("dt", name), element("dd", text(known)));
    return pair;
  });
}

// Returns what protection did for this key.
export function doneTexts(known) {
  const lines = known.protection
    .filter((one) => one.acted > 0 || one.would_have_acted > 0)
    .map((one) => (one.acted > 0
      ? `${actionName(one.action)}: acted ${whole(one.acted)} times on this key.`
      : `${actionName(one.action)}: would have acted ${whole(one.would_have_acted)} times; its mode is ${one.mode}.`));
  return lines.length > 0 ? lines : ["Nothing has acted on this key."];
}

// Returns the recommendation as text.
export function todoText(advice) {
  if (advice.in_effect) {
    return "Nothing: the protection is in effect.";
  }
  return missing(advice.setting) ? advice.advice ?? "" : `${advice.advice ?? ""} The setting is ${advice.setting}.`.trim();
}

function drawAdvice(known) {
  const advice = known?.recommendation ?? null;
  at("explain-advice").hidden = advice === null;
  if (advice === null) {
    return;
  }
  say(at("explain-cause"), advice.says);
  at("explain-done").replaceChildren(...doneTexts(known).map((line) => element("li", line)));
  say(at("explain-do"), todoText(advice));
  at("explain-line").hidden = advice.in_effect || missing(advice.line);
  say(at("explain-line"), advice.line ?? "");
  offered = !advice.in_effect && /\.mode$/.test(advice.setting ?? "") && advice.value === "enforce" ? advice.setting : null;
  at("explain-switch").hidden = offered === null;
}

function draw(known) {
  say(at("explain-says"), `${known.state} in ${known.scope}, key hash ${known.key_hash}`);
  drawAdvice(known);
  const context = known.context ?? null;
  at("explain-facts").replaceChildren(...facts(FACTS, known), ...(context === null ? [] : facts(USES, context)));
  at("explain-context").hidden = context !== null;
  const clients = Object.entries(context?.clients ?? {}).slice(0, 5);
  at("explain-clients").replaceChildren(...clients.map(([name, uses]) => element("li", `${name}  about ${whole(uses)}`)));
  at("explain-clients-title").hidden = clients.length === 0;
}

export function explainButton(key, scope) {
  const button = element("button", key, "key");
  button.type = "button";
  button.addEventListener("click", () => openExplanation(key, scope));
  return button;
}

export function openExplanation(key, scope) {
  show({ key, in: scope }, true);
}

async function fetchKey(key, scope) {
  return json(`/api/v1/keys/${keyPath(key)}?scope=${encodeURIComponent(scope)}`);
}

// Shows the cause and the recommendation for the hottest key, if there is one.
export async function drawWhy(hottest) {
  const known = hottest === undefined || keyPath(hottest.key) === null ? null : await fetchKey(hottest.key, hottest.scope);
  const advice = known?.recommendation ?? null;
  at("why").hidden = advice === null;
  if (advice !== null) {
    say(at("why-key"), known.key);
    at("why-key").dataset.scope = known.scope;
    say(at("why-says"), advice.says);
    say(at("why-do"), advice.advice ?? "");
  }
}

// Opens, updates or closes the dialog according to the URL.
export async function drawExplanation() {
  const dialog = at("explain");
  const { key } = state;
  const scope = state.in || state.scope;
  if (key === "") {
    if (dialog.open) {
      dialog.close();
    }
    return;
  }
  if (!dialog.open || dialog.dataset.key !== key) {
    dialog.dataset.key = key;
    say(at("explain-title"), key);
    say(at("explain-says"), "Loading…");
    say(at("explain-effect"), "");
    drawAdvice(null);
    for (const id of ["explain-facts", "explain-clients"]) {
      at(id).replaceChildren();
    }
    at("explain-context").hidden = true;
    if (!dialog.open) {
      dialog.showModal();
    }
  }
  if (keyPath(key) === null) {
    say(at("explain-says"), "This key is too long to be explained: only its beginning is known.");
    return;
  }
  try {
    const known = await fetchKey(key, scope);
    if (state.key === key) {
      draw(known);
    }
  } catch (failure) {
    say(at("explain-says"), `Cannot explain this key: ${failure.message}`);
  }
}

export function onExplainChange(listener) {
  onChanged = listener;
}

// The event may be late, so another key may already be explained.
at("explain").addEventListener("close", () => {
  if (!at("explain").open && state.key !== "") {
    show({ key: "", in: "" });
  }
});
at("why-key").addEventListener("click", () => openExplanation(at("why-key").textContent, at("why-key").dataset.scope));
at("explain-switch").addEventListener("click", async () => {
  if (token() === "") {
    at("token-dialog").showModal();
    return;
  }
  const result = await change({ [offered]: "enforce" });
  say(at("explain-effect"), result.text);
  onChanged();
});
