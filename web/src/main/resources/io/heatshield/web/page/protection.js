// The protection modes: their effect, and switching between off, observe and enforce.

import { change } from "./api.js";
import { amount, at, box, element, missing, redraw, say, whole } from "./format.js";
import { keepToken, state, token } from "./state.js";
import { actionName, switched } from "./words.js";

const MODES = [["off", "Off", "Disabled"], ["observe", "Observe", "Only counts what it would do"], ["enforce", "Enforce", "Protects"]];

let before = null;
let waiting = null;
let onChanged = () => {};

// Returns the calls per second between two updates, by action and scope.
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
  // Known from the second update.
  const perSecond = (field) => {
    const rates = actions.map((one) => rateOf(one.name, one.scope, field));
    return rates.includes(null) ? "" : ` ${amount(rates.reduce((all, one) => all + one, 0))} calls/s,`;
  };
  if (mode === "off") {
    return "disabled";
  }
  return mode === "observe"
    ? `would save${perSecond("would_have_saved")} ${whole(sum("would_have_saved"))} in total`
    : `saves${perSecond("saved")} ${whole(sum("saved"))} in total`;
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
    const result = await change({ [path]: mode });
    note(result.done ? `${path} is now ${mode}.` : result.text, result.done);
    if (result.denied) {
      keepToken("");
      drawLock();
    }
  } catch (failure) {
    note("Not changed: the server is unavailable.", false);
  }
  at("modes").dataset.picture = "";
  onChanged();
}

// Shows only the modes of active components, whose actions are among the savings.
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
  const choice = at("token-dialog").returnValue;
  if (choice === "keep" || choice === "forget") {
    keepToken(choice === "keep" ? at("token").value.trim() : "");
  }
  at("token").value = "";
  at("token-dialog").returnValue = "";
  drawLock();
  const pending = waiting;
  waiting = null;
  if (pending !== null && token() !== "") {
    set(...pending);
  } else if (pending !== null) {
    at("modes").dataset.picture = "";
    note("Not changed: changes require the admin token.", false);
    onChanged();
  }
});
drawLock();
