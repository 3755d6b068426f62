// The display names of actions, causes and scopes, and the settings that control the actions.

const ACTIONS = {
  hot_reads: "Serve hot reads from memory",
  flights: "Share reads in progress",
  clamp: "Throttle writes to hot keys",
  group: "Group writes to hot keys",
  absence: "Answer reads of absent keys",
  routing: "Store hot keys separately",
  coalesce: "Coalesce calls for hot counters",
};

const SETTINGS = { hot_reads: ["hot_reads", "flights"], write_limit: ["clamp", "group"], cuckoo_filter: ["absence"], absence: ["absence"], routing: ["routing"], hot_keys: ["coalesce"] };

const CAUSES = {
  scanner: "a scanner",
  write_storm: "many writes",
  missing_key: "a missing key",
  runaway_client: "one busy client",
  viral_key: "a popular key",
  unknown: "unknown cause",
};

export const actionName = (name) => ACTIONS[name] ?? (name.startsWith("rule:") ? `Table rule ${name.slice(5)}` : name);
export const causeName = (cause) => CAUSES[cause] ?? String(cause).replaceAll("_", " ");

// Returns the scope and the actions that a mode setting controls, or null for another setting.
export function switched(path) {
  const rule = /^tables\[(.+)\]\.rules\[(.+)\]\.mode$/.exec(path);
  if (rule !== null) {
    return { scope: `table:${rule[1]}`, actions: [`rule:${rule[2]}`] };
  }
  const store = /^stores\[(.+)\]\.(\w+)\.mode$/.exec(path);
  if (store !== null) {
    return { scope: store[1], actions: SETTINGS[store[2]] ?? [] };
  }
  const part = /^(shield|limits)\.(\w+)\.mode$/.exec(path);
  return part === null ? null : { scope: part[1], actions: SETTINGS[part[2]] ?? [] };
}

// Returns the kind of a scope, derived from its name and the components of the server.
export function scopeKind(name, parts) {
  if (name === "shield") {
    return "shield";
  }
  if (name.startsWith("table:") || parts.tables.includes(name)) {
    return "table of clients";
  }
  if (parts.stores.includes(name)) {
    return "store";
  }
  return parts.limits ? "rate-limit domain" : "application scope";
}
