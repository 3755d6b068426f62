// The effective settings with their origin, and changes of threshold and window.

import { change } from "./api.js";
import { at, cell, duration, list, redraw, row, say } from "./format.js";
import { token } from "./state.js";

let settings = [];
let overridden = [];
let onChanged = () => {};

function drawRows() {
  const wanted = at("filter").value.trim().toLowerCase();
  const onlyChanged = at("changed").checked;
  const rows = settings.filter((one) =>
    (!onlyChanged || one.origin !== "default")
    && (wanted === "" || `${one.path} ${one.value}`.toLowerCase().includes(wanted)));
  redraw(at("rows"), rows, () => rows.map((one) =>
    row(one.origin === "default" ? "" : "changed", cell(one.path), cell(one.value === null ? "–" : String(one.value)), cell(one.origin))));
  say(at("shown"), `${rows.length} of ${settings.length}`);
}

// Lists the live changes that override the file.
function drawLive() {
  const live = settings.filter((one) => one.origin === "live").map((one) => {
    const saved = overridden.find((other) => other.path === one.path);
    return `${one.path} = ${one.value}${saved ? ` instead of ${saved.value} (${saved.origin})` : ""}`;
  });
  say(at("winner"), live.length === 0
    ? "The settings of the file and the defaults are in effect. A live change overrides them until the file is saved again or the server restarts."
    : `Live changes override the file: ${live.join("; ")}. They apply until the file is saved again or the server restarts.`);
}

export function drawSettings(config) {
  say(at("version"), config.version ?? "–");
  say(at("uptime"), typeof config.uptime_seconds === "number" ? duration(config.uptime_seconds) : "unknown");
  const ports = Array.isArray(config.doors) ? config.doors : [];
  list(at("ports"), ports.length > 0 ? ports.map((port) => `${port.name}  ${port.address}`) : ["unknown"]);
  settings = Array.isArray(config.settings) ? config.settings : [];
  overridden = Array.isArray(config.overridden) ? config.overridden : [];
  drawLive();
  for (const [id, path] of [["threshold", "detect.threshold"], ["window", "detect.window"]]) {
    at(id).placeholder = String(settings.find((one) => one.path === path)?.value ?? "");
  }
  drawRows();
}

export function onSettingsChange(listener) {
  onChanged = listener;
}

function note(text, done) {
  say(at("threshold-note"), text);
  at("threshold-note").dataset.done = String(done);
}

at("change").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = {};
  if (at("threshold").value !== "") {
    wanted["detect.threshold"] = Number(at("threshold").value);
  }
  if (at("window").value.trim() !== "") {
    wanted["detect.window"] = at("window").value.trim();
  }
  if (Object.keys(wanted).length === 0) {
    note("Enter a threshold or a window.", false);
    return;
  }
  if (token() === "") {
    note("Changes require the admin token: unlock changes first, then try again.", false);
    at("token-dialog").showModal();
    return;
  }
  try {
    const result = await change(wanted);
    note(result.text, result.done);
  } catch {
    note("Not changed: the server is unavailable.", false);
  }
  onChanged();
});
at("filter").addEventListener("input", drawRows);
at("changed").addEventListener("change", drawRows);
