// Requests to the server. Every failure becomes an error with a readable message.

import { token } from "./state.js";

const TIMEOUT_MS = 10000;

export async function ask(path, options) {
  const controller = new AbortController();
  const timeout = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    return await fetch(path, { ...options, signal: controller.signal, cache: "no-store" });
  } finally {
    clearTimeout(timeout);
  }
}

export async function json(path) {
  const answer = await ask(path);
  if (!answer.ok) {
    throw new Error(await reason(answer));
  }
  return answer.json();
}

// Returns null instead of throwing if the server responds with an error.
export async function maybe(path) {
  const answer = await ask(path);
  return answer.ok ? answer.json() : null;
}

async function reason(answer) {
  const text = await answer.text();
  try {
    const known = JSON.parse(text);
    const faults = Array.isArray(known.faults) ? known.faults : [];
    return faults.length > 0 ? faults.join("; ") : String(known.error ?? `HTTP status ${answer.status}`);
  } catch {
    return text.trim().slice(0, 300) || `HTTP status ${answer.status}`;
  }
}

const REFUSALS = {
  401: "The admin token is missing.",
  403: "The admin token is wrong, or the server has none: see server.admin_token_file.",
};

// Changes live settings and returns the result as a sentence.
export async function change(settings) {
  const answer = await ask("/api/v1/config", {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
    body: JSON.stringify(settings),
  });
  if (answer.ok) {
    return { done: true, text: "Changed. It applies from the next request." };
  }
  const denied = answer.status === 401 || answer.status === 403;
  return { done: false, denied, text: `Not changed. ${REFUSALS[answer.status] ?? sentence(await reason(answer))}` };
}

// Capitalizes an error, unless it starts with the name of a setting.
function sentence(text) {
  const plain = text.replace(/^live: /, "");
  const first = /^[a-z_]+[.[]/.test(plain) ? plain.charAt(0) : plain.charAt(0).toUpperCase();
  return `${first}${plain.slice(1)}${/[.!?]$/.test(plain) ? "" : "."}`;
}
