package io.heatshield.shield;

import java.util.List;
import java.util.Map;

/** What a command does to its connection or to memory, beyond reading and writing its keys. */
enum Effect {
  /** Nothing. */
  NONE,
  /** Reads one string, which may be answered from memory. */
  GET,
  /** Reads several strings, which may be answered from memory. */
  MGET,
  /** Changes the database. */
  SELECT,
  /** Changes the user. */
  AUTH,
  /** Changes the protocol, and perhaps user and name. */
  HELLO,
  /** Names the connection. */
  SETNAME,
  /** Makes the connection as new. */
  RESET,
  /** Begins a transaction. */
  MULTI,
  /** Ends a transaction. */
  EXEC,
  /** Begins to watch keys. */
  WATCH,
  /** Ends watching. */
  UNWATCH,
  /** Lets the upstream send what answers no command, or not answer at all, from now on. */
  STREAM,
  /** Lets the upstream remember what the connection has read. */
  TRACKING,
  /** May write keys that it does not name. */
  SCRIPT,
  /** May change any key, or who may read it. */
  WIPE,
  /** Takes keys away, which is never refused. */
  DELETE,
  /** Ends the connection or the upstream without an answer that one could wait for. */
  FAREWELL;

  private static final Map<Effect, List<String>> NAMES =
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
              WIPE,
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
          Map.entry(FAREWELL, List.of("quit", "shutdown")));

  /** Returns what the command of a name does. */
  static Effect of(String name) {
    for (Map.Entry<Effect, List<String>> entry : NAMES.entrySet()) {
      if (entry.getValue().contains(name)) {
        return entry.getKey();
      }
    }
    return NONE;
  }
}
