package io.heatshield.shield;

import java.util.List;
import java.util.Map;

/** What a command does besides reading and writing its keys. */
enum CommandKind {
  /** Any other. */
  OTHER,
  /** Reads one string, which may be answered from memory. */
  GET,
  /** Reads several strings, which may be answered from memory. */
  MGET,
  /** Selects the database. */
  SELECT,
  /** Changes the user. */
  AUTH,
  /** Changes the protocol, and perhaps user and name. */
  HELLO,
  /** Names the connection. */
  SETNAME,
  /** Resets the connection. */
  RESET,
  /** Begins a transaction. */
  MULTI,
  /** Ends a transaction. */
  EXEC,
  /** Begins to watch keys. */
  WATCH,
  /** Ends watching. */
  UNWATCH,
  /** From here on the upstream may send what is no reply, or send no reply. */
  STREAM,
  /** Makes the upstream track what the connection reads. */
  TRACKING,
  /** May write keys that it does not name. */
  SCRIPT,
  /** May change any key, or who may read it. */
  ALL_KEYS,
  /** Deletes keys, which is never throttled. */
  DELETE,
  /** Closes the connection or the upstream, perhaps without a reply. */
  CLOSE;

  private static final Map<CommandKind, List<String>> NAMES =
      Map.ofEntries(
          Map.entry(GET, List.of("get")),
          Map.entry(MGET, List.of("mget")),
          Map.entry(SELECT, List.of("select")),
          Map.entry(AUTH, List.of("auth")),
          Map.entry(HELLO, List.of("hello")),
          Map.entry(SETNAME, List.of("client|setname")),
          Map.entry(RESET, List.of("reset")),
          Map.entry(MULTI, List.of("multi")),
          Map.entry(EXEC, List.of("exec", "discard")),
          Map.entry(WATCH, List.of("watch")),
          Map.entry(UNWATCH, List.of("unwatch")),
          Map.entry(
              STREAM,
              List.of(
                  "subscribe",
                  "unsubscribe",
                  "psubscribe",
                  "punsubscribe",
                  "ssubscribe",
                  "sunsubscribe",
                  "monitor",
                  "sync",
                  "psync",
                  "replconf",
                  "client|reply")),
          Map.entry(TRACKING, List.of("client|tracking", "client|caching")),
          Map.entry(SCRIPT, List.of("eval", "evalsha", "fcall")),
          Map.entry(
              ALL_KEYS,
              List.of(
                  "flushall",
                  "flushdb",
                  "swapdb",
                  "debug",
                  "replicaof",
                  "slaveof",
                  "failover",
                  "acl|setuser",
                  "acl|deluser",
                  "acl|load",
                  "config|set")),
          Map.entry(DELETE, List.of("del", "unlink", "getdel")),
          Map.entry(CLOSE, List.of("quit", "shutdown")));

  /** Returns the kind of the command of this name. */
  static CommandKind of(String name) {
    for (Map.Entry<CommandKind, List<String>> entry : NAMES.entrySet()) {
      if (entry.getValue().contains(name)) {
        return entry.getKey();
      }
    }
    return OTHER;
  }
}
