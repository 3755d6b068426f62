// The state of the page, kept in the fragment of its URL, so that a link shows the same view. The
// admin token is never part of it.

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

// Changes the state. A step adds an entry to the browser history, so that Back undoes it.
export function show(changes, step = false) {
  Object.assign(state, changes);
  history[step ? "pushState" : "replaceState"](null, "", fragment());
  listeners.forEach((listener) => listener(changes));
}

export function onShow(listener) {
  listeners.push(listener);
}

// Returns a link to another state.
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

// Removes a token from the URL before the first request.
function readUrl() {
  const given = read();
  if (given.has("token")) {
    keepToken(given.get("token"));
    history.replaceState(null, "", fragment());
  }
}

readUrl();
addEventListener("hashchange", () => {
  readUrl();
  listeners.forEach((listener) => listener({ ...state }));
});
