// Questions to the server. Every failure becomes an error whose message is a sentence for people.

import { token } from "./state.js";

const GIVE_UP_MS = 10000;

export async function ask(path, options) {
  const giveUp = new AbortController();
  const late = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  try {
    return await fetch(path, { ...options, signal: giveUp.signal, cache: "no-store" });
  } finally {
    clearTimeout(late);
  }
}

export async function json(path) {
  const answer = await ask(path);
  if (!answer.ok) {
    throw new Error(await reason(answer));
  }
  return answer.json();
}

// Null instead of an error where the server does not have such a thing.
export async function maybe(path) {
  const answer = await ask(path);
  return answer.ok ? answer.json() : null;
}

async function reason(answer) {
  const text = await answer.text();
  try {
    const known = JSON.parse(text);
    const faults = Array.isArray(known.faults) ? known.faults : [];
    return faults.length > 0 ? faults.join("; ") : String(known.error ?? `the server answered ${answer.status}`);
  } catch {
    return text.trim().slice(0, 300) || `the server answered ${answer.status}`;
  }
}

const REFUSALS = {
  401: "The server wants the admin token, and none was given.",
  403: "The admin token is not the server's, or the server has none. server.admin_token_file names the file that holds it.",
};

// Changes live settings; returns a sentence that says what came of it.
export async function change(settings) {
  const answer = await ask("/api/v1/config", {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
    body: JSON.stringify(settings),
  });
  if (answer.ok) {
    return { done: true, text: "Changed. It holds for the next request on." };
  }
  const denied = answer.status === 401 || answer.status === 403;
  return { done: false, denied, text: `Not changed. ${REFUSALS[answer.status] ?? sentence(await reason(answer))}` };
}

// The name of a setting stays as it is written; other text begins as a sentence does.
function sentence(text) {
  const plain = text.replace(/^live: /, "");
  const first = /^[a-z_]+[.[]/.test(plain) ? plain.charAt(0) : plain.charAt(0).toUpperCase();
  return `${first}${plain.slice(1)}${/[.!?]$/.test(plain) ? "" : "."}`;
}
