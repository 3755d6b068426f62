// The modes of protection: what each does now, and the switch between off, observe and enforce.

import { change } from "./api.js";
import { amount, at, box, element, missing, redraw, say, whole } from "./format.js";
import { keepToken, state, token } from "./state.js";
import { actionName, switched } from "./words.js";

const MODES = [["off", "Off", "Nothing is done or counted"], ["observe", "Observe", "Counts what it would do, and does nothing"], ["enforce", "Enforce", "Acts"]];

let before = null;
let waiting = null;
let onChanged = () => {};

// Calls per second between two answers, by action and scope.
function rates(view) {
  const now = { at: performance.now(), of: new Map(view.actions.map((one) => [`${one.scope} ${one.name}`, one])) };
  const was = before;
  if (was === null || now.at - was.at > 1500) {
    before = now;
  }
  return (name, scope, field) => {
    const one = now.of.get(`${scope} ${name}`);
    const old = was?.of.get(`${scope} ${name}`);
    const seconds = was === null ? 0 : (now.at - was.at) / 1000;
    return one === undefined || old === undefined || seconds < 0.5 ? null : Math.max(0, one[field] - old[field]) / seconds;
  };
}

function effect(actions, mode, rateOf) {
  const sum = (field) => actions.reduce((all, one) => all + one[field], 0);
  // Known from the second answer on.
  const perSecond = (field) => {
    const rates = actions.map((one) => rateOf(one.name, one.scope, field));
    return rates.includes(null) ? "" : ` ${amount(rates.reduce((all, one) => all + one, 0))} calls/s,`;
  };
  if (mode === "off") {
    return "does nothing";
  }
  return mode === "observe"
    ? `would save${perSecond("would_have_saved")} ${whole(sum("would_have_saved"))} in all`
    : `saves${perSecond("saved")} ${whole(sum("saved"))} in all`;
}

function choice(path, mode) {
  const group = element("span", undefined, "choice");
  for (const [value, text, hint] of MODES) {
    const input = element("input");
    input.type = "radio";
    input.name = path;
    input.value = value;
    input.checked = value === mode;
    input.addEventListener("change", () => set(path, value));
    const label = box("label", value, input, document.createTextNode(text));
    label.title = hint;
    group.append(label);
  }
  return group;
}

function note(text, done) {
  say(at("changed-note"), text);
  at("changed-note").dataset.done = String(done);
}

async function set(path, mode) {
  if (token() === "") {
    waiting = [path, mode];
    at("token-dialog").showModal();
    return;
  }
  try {
    const came = await change({ [path]: mode });
    note(came.done ? `${path} is now ${mode}.` : came.text, came.done);
    if (came.denied) {
      keepToken("");
      drawLock();
    }
  } catch (failure) {
    note(`Not changed: the server did not answer.`, false);
  }
  at("modes").dataset.picture = "";
  onChanged();
}

// Only modes of parts that run here are shown: those whose action is in the ledger of savings.
export function drawModes(settings, savings) {
  const rateOf = rates(savings);
  const shown = settings.filter((one) => /(^|[.])mode$/.test(one.path)).flatMap((one) => {
    const what = switched(one.path);
    const actions = what === null ? [] : savings.actions.filter((action) => action.scope === what.scope && what.actions.includes(action.name));
    return actions.length === 0 || (state.scope !== "" && state.scope !== what.scope) ? [] : [{ path: one.path, mode: one.value, scope: what.scope, actions }];
  });
  shown.sort((a, b) => Number(a.scope.startsWith("table:")) - Number(b.scope.startsWith("table:")));
  const several = new Set(shown.map((one) => one.scope)).size > 1;
  redraw(at("modes"), shown.map((one) => [one.path, one.mode, several]), () => shown.map((one) => {
    const fieldset = element("fieldset");
    const legend = element("legend", undefined, "what");
    legend.append(document.createTextNode(actionName(one.actions.find((action) => action.name !== "flights" && action.name !== "group")?.name ?? one.actions[0].name)));
    if (several) {
      legend.append(element("span", ` ${one.scope}`, "quiet"));
    }
    legend.title = one.path;
    const line = element("span", undefined, "note");
    line.dataset.path = one.path;
    fieldset.append(legend, choice(one.path, one.mode), line);
    return fieldset;
  }));
  for (const one of shown) {
    const line = [...at("modes").querySelectorAll(".note")].find((place) => place.dataset.path === one.path);
    if (!missing(line)) {
      say(line, effect(one.actions, one.mode, rateOf));
    }
  }
  at("modes-none").hidden = shown.length > 0;
}

function drawLock() {
  say(at("unlock"), token() === "" ? "Unlock changes" : "Changes unlocked");
  at("unlock").setAttribute("aria-pressed", String(token() !== ""));
}

export function onModeChange(listener) {
  onChanged = listener;
}

at("unlock").addEventListener("click", () => at("token-dialog").showModal());
at("token-dialog").addEventListener("close", () => {
  const said = at("token-dialog").returnValue;
  if (said === "keep" || said === "forget") {
    keepToken(said === "keep" ? at("token").value.trim() : "");
  }
  at("token").value = "";
  at("token-dialog").returnValue = "";
  drawLock();
  const wish = waiting;
  waiting = null;
  if (wish !== null && token() !== "") {
    set(...wish);
  } else if (wish !== null) {
    at("modes").dataset.picture = "";
    note("Not changed: changes need the admin token.", false);
    onChanged();
  }
});
drawLock();
