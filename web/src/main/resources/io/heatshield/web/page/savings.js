// The savings: in total, by protection and by day.

import { at, cell, element, money, numberCell, row, say, whole } from "./format.js";
import { actionName } from "./words.js";

const worth = (value, view) => (value === null ? "–" : money(value, view.currency));

export function drawSavings(view) {
  say(at("saved-total"), view.money === null ? `${whole(view.saved)} calls` : `${whole(view.saved)} calls, ${money(view.money, view.currency)}`);
  const rows = view.actions.filter((action) => action.applied + action.would_have_applied > 0);
  at("savings").replaceChildren(...rows.map((action) => row("",
    cell(actionName(action.name)), cell(action.scope), cell(action.mode),
    numberCell(whole(action.saved)), numberCell(worth(action.money, view)),
    numberCell(whole(action.would_have_saved)), element("td", action.counted, "prose"))));
  at("days").replaceChildren(...view.days.map((day) => row("",
    cell(day.day), numberCell(whole(day.saved)), numberCell(worth(day.money, view)), numberCell(whole(day.would_have_saved)))));
  const price = view.price_per_million_calls;
  say(at("savings-note"), (rows.length === 0 ? "Nothing has been saved yet. " : "")
    + (price === null ? "Set savings.price_per_million_calls to see the savings in money." : `At ${money(price, view.currency)} per million calls.`));
}
