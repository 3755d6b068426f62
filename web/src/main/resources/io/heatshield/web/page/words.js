// The names that people read for the actions of the server, and the settings that switch them.

const ACTIONS = {
  hot_reads: "Answer hot reads from memory",
  flights: "Share one read among those that wait for it",
  clamp: "Limit writes of a hot key",
  group: "Write hot keys in groups",
  absence: "Answer for keys that do not exist",
  routing: "Keep hot keys apart",
  coalesce: "Combine calls for hot counters",
};

const SETTINGS = { hot_reads: ["hot_reads", "flights"], write_limit: ["clamp", "group"], cuckoo_filter: ["absence"], absence: ["absence"], routing: ["routing"], hot_keys: ["coalesce"] };

const CAUSES = {
  scanner: "a scanner",
  write_storm: "many writes",
  missing_key: "a missing key",
  runaway_client: "one busy client",
  viral_key: "a popular key",
  unknown: "cause not known",
};

export const actionName = (name) => ACTIONS[name] ?? (name.startsWith("rule:") ? `Table rule ${name.slice(5)}` : name);
export const causeName = (cause) => CAUSES[cause] ?? String(cause).replaceAll("_", " ");

// Which actions the setting of a mode switches, and where; null if it is not of that kind.
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

// What a scope is, as far as its name and the parts of the server say.
export function scopeKind(name, parts) {
  if (name === "shield") {
    return "the Redis behind the shield";
  }
  if (name.startsWith("table:") || parts.tables.includes(name)) {
    return "table of clients";
  }
  if (parts.stores.includes(name)) {
    return "store";
  }
  return parts.limits ? "rate-limit domain" : "scope of the application";
}
