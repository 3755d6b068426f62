// Formats values and builds elements. Text from the server is only ever set as textContent, never
// as markup.

export const at = (id) => document.getElementById(id);

const wholeNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const smallNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const percentNumber = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export const whole = (value) => wholeNumber.format(value);
export const percent = (value) => percentNumber.format(value);
export const money = (value, currency) => `${value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;
export const time = (text) => (text === null || text === undefined ? "–" : new Date(text).toLocaleTimeString());
export const missing = (value) => value === null || value === undefined;

// A short number, with a decimal only below 10.
export const amount = (value) => (value > 0 && value < 10 ? smallNumber.format(value) : whole(value));
export const rate = (value) => `${amount(value)}/s`;

export function millis(value) {
  if (missing(value)) {
    return "–";
  }
  if (value >= 1000) {
    return `${smallNumber.format(value / 1000)} s`;
  }
  return `${value >= 100 ? whole(value) : value.toLocaleString(undefined, { maximumFractionDigits: value >= 10 ? 1 : 2 })} ms`;
}

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, count)) / 10));
  return `${(count / 1024 ** step).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[step]}`;
}

export function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}

export function box(tag, className, ...children) {
  const made = element(tag, undefined, className);
  made.append(...children);
  return made;
}

export const cell = (text) => element("td", text);
export const numberCell = (text) => element("td", text, "number");

export function row(className, ...cells) {
  return box("tr", className, ...cells);
}

export function list(place, lines) {
  place.replaceChildren(...lines.map((line) => element("li", line)));
}

export function say(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

// Whether an element may be replaced: not while it has the focus or will get it back from a dialog.
export const mayRedraw = (place) => !place.contains(document.activeElement) && document.querySelector("dialog[open]") === null;

// Returns a colour of the style sheet for a canvas, resolved for the current scheme.
const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);
export function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

// Replaces children only if their content has changed, to preserve focus and selection.
export function redraw(place, picture, make) {
  const text = JSON.stringify(picture);
  if (place.dataset.picture !== text) {
    place.dataset.picture = text;
    place.replaceChildren(...make());
  }
}

export function options(place, choices, chosen) {
  redraw(place, choices, () => choices.map(([value, text]) => {
    const option = element("option", text);
    option.value = value;
    return option;
  }));
  place.value = choices.some(([value]) => value === chosen) ? chosen : choices[0]?.[0] ?? "";
}

export function duration(seconds) {
  const rounded = Math.max(0, Math.floor(seconds));
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => rounded >= size);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2);
  let rest = rounded;
  return shown.map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return `${count} ${unit}`;
  }).join(" ");
}

// Returns the bytes of a key from its printable form, in which \xHH is an unprintable byte and \\ a
// backslash; null if the form is truncated.
export function keyBytes(shown) {
  if (/\\\.\.\.\(\d+ bytes(, [0-9a-f]+)?\)$/.test(shown)) {
    return null;
  }
  const bytes = [];
  const utf8 = new TextEncoder();
  for (let i = 0; i < shown.length;) {
    if (shown.startsWith("\\x", i)) {
      bytes.push(parseInt(shown.slice(i + 2, i + 4), 16));
      i += 4;
    } else if (shown.startsWith("\\\\", i)) {
      bytes.push(0x5c);
      i += 2;
    } else {
      const character = String.fromCodePoint(shown.codePointAt(i));
      bytes.push(...utf8.encode(character));
      i += character.length;
    }
  }
  return bytes;
}

// Returns the key encoded for a path, or null if its printable form is truncated.
export function keyPath(shown) {
  const bytes = keyBytes(shown);
  return bytes === null ? null : bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
