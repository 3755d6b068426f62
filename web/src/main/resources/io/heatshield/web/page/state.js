// What the page shows, kept in the fragment of its address, so that a link shows the same to
// another person. The admin token is never part of it.

const TOKEN = "heatshield.token";
const DEFAULTS = { view: "overview", scope: "", q: "", prefix: "", key: "", in: "", range: "", from: "", to: "", group: "prefix", page: "0", fleet: "" };
const listeners = [];

export const state = { ...DEFAULTS };

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(DEFAULTS)) {
    state[name] = given.get(name) ?? DEFAULTS[name];
  }
  return given;
}

function fragment() {
  const shown = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== DEFAULTS[name]) {
      shown.set(name, value);
    }
  }
  const text = shown.toString();
  return text === "" ? location.pathname : `#${text}`;
}

// Changes what is shown. A step that a person would want to undo becomes an entry of the history.
export function show(changes, step = false) {
  Object.assign(state, changes);
  history[step ? "pushState" : "replaceState"](null, "", fragment());
  listeners.forEach((listener) => listener(changes));
}

export function onShow(listener) {
  listeners.push(listener);
}

// A link to another state, for elements that are real links.
export function linkTo(changes) {
  const kept = { ...state, key: "", in: "", page: "0", ...changes };
  const shown = new URLSearchParams(Object.entries(kept).filter(([name, value]) => value !== DEFAULTS[name]));
  return `#${shown}`;
}

export function token() {
  return sessionStorage.getItem(TOKEN) ?? "";
}

export function keepToken(text) {
  if (text === "") {
    sessionStorage.removeItem(TOKEN);
  } else {
    sessionStorage.setItem(TOKEN, text);
  }
}

// A token in the address is taken out of it at once, before anything is asked for.
function take() {
  const given = read();
  if (given.has("token")) {
    keepToken(given.get("token"));
    history.replaceState(null, "", fragment());
  }
}

take();
addEventListener("hashchange", () => {
  take();
  listeners.forEach((listener) => listener({ ...state }));
});
