// How values look and how they get onto the page. Text from the server only ever becomes text of
// the page (textContent), never markup.

export const at = (id) => document.getElementById(id);

const wholeNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const percentNumber = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export const whole = (value) => wholeNumber.format(value);
export const percent = (value) => percentNumber.format(value);
export const money = (value, currency) => `${value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;
export const time = (text) => (text === null || text === undefined ? "–" : new Date(text).toLocaleTimeString());

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

export const cell = (text) => element("td", text);
export const numberCell = (text) => element("td", text, "number");

export function list(place, lines) {
  place.replaceChildren(...lines.map((line) => element("li", line)));
}

export function say(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
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

// The printable form of a key writes a byte that cannot be shown as \xHH and a backslash twice;
// this gives back the key as the part of a path, or null if it was cut.
export function keyPath(shown) {
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
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
