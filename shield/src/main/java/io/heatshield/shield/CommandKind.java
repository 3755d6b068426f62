package io.heatshield.shield;

import java.util.Set;

/** What a command does besides reading and writing its keys. */
enum CommandKind {
  /** Any other. */
  OTHER,
  /** Reads one string, which may be answered from memory. */
  GET("get"),
  /** Reads several strings, which may be answered from memory. */
  MGET("mget"),
  /** Selects the database. */
  SELECT("select"),
  /** Changes the user. */
  AUTH("auth"),
  /** Changes the protocol, and perhaps user and name. */
  HELLO("hello"),
  /** Names the connection. */
  SETNAME("client|setname"),
  /** Resets the connection. */
  RESET("reset"),
  /** Begins a transaction. */
  MULTI("multi"),
  /** Ends a transaction. */
  EXEC("exec", "discard"),
  /** Begins to watch keys. */
  WATCH("watch"),
  /** Ends watching. */
  UNWATCH("unwatch"),
  /** From here on the upstream may send what is no reply, or send no reply. */
  STREAM(
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
      "client|reply"),
  /** Makes the upstream track what the connection reads. */
  TRACKING("client|tracking", "client|caching"),
  /** May write keys that it does not name. */
  SCRIPT("eval", "evalsha", "fcall"),
  /** May change any key, or who may read it. */
  ALL_KEYS(
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
      "config|set"),
  /** Deletes keys, which is never throttled. */
  DELETE("del", "unlink", "getdel"),
  /** Closes the connection or the upstream, perhaps without a reply. */
  CLOSE("quit", "shutdown");

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable set.
  private final Set<String> names;

  CommandKind(String... names) {
    this.names = Set.of(names);
  }

  /** Returns the kind of the command of this name. */
  static CommandKind of(String name) {
    for (CommandKind kind : values()) {
      if (kind.names.contains(name)) {
        return kind;
      }
    }
    return OTHER;
  }
}
