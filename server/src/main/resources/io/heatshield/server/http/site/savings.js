// What was saved: in all, by mechanism, by day, and per second between two answers.

import { at, cell, element, money, numberCell, say, whole } from "./format.js";

let before = null;

function totals(view) {
  const now = { calls: view.saved, at: performance.now() };
  if (before !== null && now.calls >= before.calls && now.at - before.at > 500) {
    say(at("saved-rate"), `${whole(((now.calls - before.calls) * 1000) / (now.at - before.at))}/s`);
  }
  if (before === null || now.at - before.at > 1500) {
    before = now;
  }
  say(at("saved-total"), view.money === null ? whole(view.saved) : `${whole(view.saved)} (${money(view.money, view.currency)})`);
}

function actionRow(action, view) {
  const row = element("tr", undefined, action.saved > 0 ? "saved" : "");
  row.append(
    cell(action.name), cell(action.scope), cell(action.mode),
    numberCell(whole(action.saved)), numberCell(action.money === null ? "–" : money(action.money, view.currency)),
    numberCell(whole(action.would_have_saved)), element("td", action.counted, "prose"));
  return row;
}

function dayRow(day, view) {
  const row = element("tr");
  row.append(
    cell(day.day), numberCell(whole(day.saved)),
    numberCell(day.money === null ? "–" : money(day.money, view.currency)), numberCell(whole(day.would_have_saved)));
  return row;
}

export function drawSavings(view) {
  totals(view);
  const rows = view.actions.filter((action) => action.applied + action.would_have_applied > 0);
  at("savings").replaceChildren(...rows.map((action) => actionRow(action, view)));
  at("days").replaceChildren(...view.days.map((day) => dayRow(day, view)));
  const price = view.price_per_million_calls;
  say(at("savings-note"), (rows.length === 0 ? "Nothing was saved yet. " : "")
    + (price === null ? "Set savings.price_per_million_calls to see money." : `At ${money(price, view.currency)} for a million calls.`));
}

// What the actions of each scope do, for the column of the hottest keys.
export function actionsOf(view) {
  const of = new Map();
  for (const action of view.actions.filter((one) => one.applied + one.would_have_applied > 0)) {
    of.set(action.scope, [...(of.get(action.scope) ?? []), `${action.name} ${action.mode}`]);
  }
  return of;
}
