// What is known about one key, in a dialog.

import { at, element, keyPath, percent, say, time, whole } from "./format.js";

const NAMES = {
  rate: "Rate", share: "Share of the scope", estimate: "Touches in the window", error: "Too high by at most",
  guaranteed: "Counted for certain", since: "Hot since", first_seen: "First seen", last_seen: "Last seen",
};

function fact(name, value) {
  const pair = element("div");
  pair.append(element("dt", name), element("dd", value));
  return pair;
}

function shown(name, value) {
  if (value === null || value === undefined) {
    return "–";
  }
  if (name === "rate") {
    return `${whole(value)}/s`;
  }
  if (name === "share") {
    return percent(value);
  }
  return typeof value === "number" ? whole(value) : time(value);
}

export function explainButton(key, scope) {
  const button = element("button", key, "key");
  button.type = "button";
  button.addEventListener("click", () => explain(key, scope));
  return button;
}

async function explain(key, scope) {
  say(at("explain-title"), key);
  say(at("explain-says"), "Asking…");
  at("explain-facts").replaceChildren();
  at("explain").showModal();
  const path = keyPath(key);
  if (path === null) {
    say(at("explain-says"), "This key is too long to be asked about by its beginning alone.");
    return;
  }
  try {
    const answer = await fetch(`/api/v1/keys/${path}?scope=${encodeURIComponent(scope)}`, { cache: "no-store" });
    const known = await answer.json();
    if (!answer.ok) {
      throw new Error(known.detail ?? `the server answered ${answer.status}`);
    }
    say(at("explain-says"), `${known.state} in ${known.scope}, key hash ${known.key_hash}`);
    at("explain-facts").replaceChildren(
      ...Object.entries(NAMES).map(([name, title]) => fact(title, shown(name, known[name]))));
    for (const [name, value] of Object.entries(known.context ?? {})) {
      at("explain-facts").append(fact(name.replaceAll("_", " "), typeof value === "object" ? JSON.stringify(value) : String(value)));
    }
  } catch (failure) {
    say(at("explain-says"), `It cannot be told: ${failure.message}`);
  }
}
