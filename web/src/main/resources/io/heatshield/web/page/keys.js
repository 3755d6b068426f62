// All tracked keys, searched on the server, page by page.

import { json } from "./api.js";
import { amount, at, cell, element, mayRedraw, numberCell, percent, row, say, time, whole } from "./format.js";
import { explainButton } from "./explain.js";
import { show, state } from "./state.js";

const PAGE = 50;
const MOST = 1000;

function path(page) {
  const query = new URLSearchParams();
  for (const [name, value] of [["scope", state.scope], ["contains", state.q], ["prefix", state.prefix], ["fleet", state.fleet === "" ? "" : "true"]]) {
    if (value !== "") {
      query.set(name, value);
    }
  }
  // The server pages one scope; a page of several scopes is made from the first keys of each.
  if (state.scope === "") {
    query.set("n", String(Math.min(MOST, (page + 1) * PAGE)));
  } else {
    query.set("n", String(PAGE));
    query.set("offset", String(page * PAGE));
  }
  return `/api/v1/hot?${query}`;
}

export const pageOf = () => Math.max(0, Math.min(MOST / PAGE - 1, Number.parseInt(state.page, 10) || 0));

export function rowsOf(view, page, scoped) {
  const rows = view.scopes
    .flatMap((scope) => [
      ...(page === 0 ? scope.prefixes : []).map((one) => ({ ...one, key: one.prefix, prefix: true, state: "hot", scope: scope.scope })),
      ...scope.keys.map((key) => ({ ...key, scope: scope.scope })),
    ])
    .sort((a, b) => b.rate - a.rate);
  return scoped ? rows : rows.slice(page * PAGE, (page + 1) * PAGE);
}

function line(key) {
  const name = element("td");
  name.append(key.prefix ? element("span", `${key.key}*`, "mono") : explainButton(key.key, key.scope));
  return row(key.state === "cool" ? "" : "hot",
    name, cell(key.scope), cell(key.prefix ? "hot together" : key.state),
    numberCell(amount(key.rate)), numberCell(key.share === undefined ? "–" : percent(key.share)),
    numberCell(whole(key.estimate)), numberCell(whole(key.error)), cell(time(key.since)));
}

function fleetText(fleet, scopes) {
  if (fleet.local_only) {
    return `Only the counts of this node: ${fleet.local_only}.`;
  }
  const live = fleet.nodes.filter((node) => node.state === "live").length;
  const problems = fleet.nodes.filter((node) => node.state !== "live" || node.why).map((node) => `${node.node} is ${node.state}: ${node.why}.`);
  const saved = fleet.savings.reduce((sum, one) => sum + one.saved, 0);
  const counted = scopes.map((one) => `${one.scope}: keys ${one.at_least ? "at least" : "about"} ${whole(one.distinct)}, requests ${whole(one.touches)}.`);
  return [`Fleet ${fleet.name}: ${live} of ${fleet.nodes.length} nodes live, ${whole(saved)} calls saved.`, ...problems, ...counted].join(" ");
}

export async function drawKeys() {
  const page = pageOf();
  const view = await json(path(page));
  const total = view.scopes.reduce((sum, scope) => sum + scope.total, 0);
  const tracked = view.scopes.reduce((sum, scope) => sum + scope.tracked, 0);
  const rows = rowsOf(view, page, state.scope !== "");
  const keys = rows.filter((one) => !one.prefix).length;
  const searched = state.q !== "" || state.prefix !== "";
  const shown = total === 0 ? "No keys" : `${whole(page * PAGE + 1)}–${whole(page * PAGE + keys)} of ${whole(total)}`;
  say(at("keys-shown"), searched ? `${shown} that match, ${whole(tracked)} tracked` : shown);
  say(at("keys-note"), "Highest rates first. The hottest keys of each scope are tracked; detect.top_k sets how many.");
  if (mayRedraw(at("hot"))) {
    at("hot").replaceChildren(...rows.map(line));
  }
  at("before").disabled = page === 0;
  at("after").disabled = (page + 1) * PAGE >= Math.min(total, MOST);
  at("fleet-note").hidden = !view.fleet;
  say(at("fleet-note"), view.fleet ? fleetText(view.fleet, view.scopes) : "");
}

for (const id of ["q", "prefix"]) {
  at(id).addEventListener("input", () => show({ [id]: at(id).value, page: "0" }));
}
at("fleet").addEventListener("change", () => show({ fleet: at("fleet").checked ? "yes" : "", page: "0" }));
at("before").addEventListener("click", () => show({ page: String(pageOf() - 1) }));
at("after").addEventListener("click", () => show({ page: String(pageOf() + 1) }));
