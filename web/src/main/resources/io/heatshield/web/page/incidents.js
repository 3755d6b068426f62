// Incidents: what happened, the cause, the protection and the recommendation.

import { json } from "./api.js";
import { amount, at, box, duration, element, mayRedraw, missing, rate, say, time } from "./format.js";
import { doneTexts, explainButton, todoText } from "./explain.js";
import { state } from "./state.js";
import { causeName } from "./words.js";

const MOST_NOW = 8;
const MOST = 100;

const scopePart = () => (state.scope === "" ? "" : `&scope=${encodeURIComponent(state.scope)}`);

export const readIncidents = (all) => json(`/api/v1/incidents?n=${all ? MOST : MOST_NOW}${scopePart()}`);

function lasted(one) {
  return one.state === "open" ? `hot for ${duration(one.seconds)}` : `hot for ${duration(one.seconds)}, cool since ${time(one.end)}`;
}

// The short form, for the overview.
export function drawNow(view) {
  const place = at("now");
  if (!mayRedraw(place)) {
    return;
  }
  const lines = view.incidents.map((one) => {
    const advice = one.recommendation;
    const acted = (one.protection ?? []).some((action) => action.acted > 0) || advice?.in_effect;
    const parts = [one.scope, lasted(one), missing(advice) ? null : causeName(advice.cause), acted ? "protected" : null];
    const number = element("span", rate(one.state === "open" ? one.rate : one.peak_rate), "number");
    number.title = one.state === "open" ? "Requests per second now" : "Its highest rate";
    return box("li", one.state, explainButton(one.key, one.scope), number, element("span", parts.filter((part) => part !== null).join(" · "), "note"));
  });
  place.replaceChildren(...(lines.length > 0 ? lines : [element("li", "No key has been hot since the start.", "quiet")]));
}

function whatHappened(one) {
  const again = one.times > 1 ? `, ${one.times} times with short pauses` : "";
  const when = one.state === "open" ? `since ${time(one.start)}` : `from ${time(one.start)} to ${time(one.end)}`;
  return `${amount(one.peak_rate)} requests/s at its peak, hot for ${duration(one.seconds)}, ${when}${again}.`;
}

function story(one) {
  const advice = one.recommendation;
  const lines = [["What happened", whatHappened(one)]];
  if (missing(advice)) {
    lines.push(["Why", "No explanation was recorded."]);
  } else {
    lines.push(["Why", advice.says], ["What was done", doneTexts(one).join(" ")], ["What to do", todoText(advice)]);
  }
  return lines.flatMap(([name, text]) => [element("dt", name), element("dd", text)]);
}

export function drawIncidents(view) {
  say(at("incidents-note"), view.total === 0
    ? "No key has been hot since the start."
    : `${amount(view.open)} open, ${amount(view.total)} recorded${view.left_out > 0 ? `; ${amount(view.left_out)} more were not recorded, because too many keys were hot` : ""}. An incident lasts from when a key turns hot until it cools.`);
  const place = at("incidents");
  if (!mayRedraw(place)) {
    return;
  }
  place.replaceChildren(...view.incidents.map((one) => box("li", one.state,
    box("div", "head", explainButton(one.key, one.scope), element("span", `in ${one.scope}`, "quiet"), element("span", one.state === "open" ? `now ${rate(one.rate)}` : "ended", one.state === "open" ? "c-store" : "quiet")),
    box("dl", "", ...story(one)))));
}
