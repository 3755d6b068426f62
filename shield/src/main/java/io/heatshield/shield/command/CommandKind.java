package io.heatshield.shield.command;

import java.util.Set;

/** The effect of a command besides reading and writing its keys. */
public enum CommandKind {
  /** No other effect. */
  OTHER(""),
  /** Reads one string, which may be answered from memory. */
  GET("get"),
  /** Reads several strings, which may be answered from memory. */
  MGET("mget"),
  /** Selects the database. */
  SELECT("select"),
  /** Changes the user. */
  AUTH("auth"),
  /** Changes the protocol, and perhaps the user and the client's name. */
  HELLO("hello"),
  /** Names the connection. */
  SETNAME("client|setname"),
  /** Resets the connection. */
  RESET("reset"),
  /** Begins a transaction. */
  MULTI("multi"),
  /** Ends a transaction. */
  EXEC("exec discard"),
  /** Begins to watch keys. */
  WATCH("watch"),
  /** Ends watching. */
  UNWATCH("unwatch"),
  /** Makes the upstream send messages that are not replies, or omit replies. */
  STREAM(
      "subscribe unsubscribe psubscribe punsubscribe ssubscribe sunsubscribe"
          + " monitor sync psync replconf client|reply"),
  /** Makes the upstream track what the connection reads. */
  TRACKING("client|tracking client|caching"),
  /** May write keys that it does not name. */
  SCRIPT("eval evalsha fcall"),
  /** May change any key, or who may read it. */
  ALL_KEYS(
      "flushall flushdb swapdb debug replicaof slaveof failover"
          + " acl|setuser acl|deluser acl|load config|set"),
  /** Deletes keys, which is never throttled. */
  DELETE("del unlink getdel"),
  /** Closes the connection or the upstream, perhaps without a reply. */
  CLOSE("quit shutdown");

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable set.
  private final Set<String> names;

  CommandKind(String names) {
    this.names = Set.of(names.split(" ", -1));
  }

  /** Returns the kind of the command with a name. */
  static CommandKind of(String name) {
    for (CommandKind kind : values()) {
      if (kind.names.contains(name)) {
        return kind;
      }
    }
    return OTHER;
  }
}
