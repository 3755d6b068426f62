package io.heatshield.shield;

import java.util.List;
import java.util.Map;

/** To which servers of a cluster a command goes, and how their answers become one. */
enum Placing {
  /** To the one that has its keys; without keys, to any. */
  BY_KEY,
  /** To those that have its keys, each with its own; the numbers are added. */
  KEYS_SUM,
  /** The same with pairs of key and value; all say the same. */
  PAIRS,
  /** The same; the elements stand in the order of the keys. */
  KEYS_LIST,
  /** To all; all say the same. */
  ALL,
  /** To all; the numbers are added. */
  ALL_SUM,
  /** To all; the least number counts. */
  ALL_LEAST,
  /** To all; the lists follow one another. */
  ALL_LISTS,
  /** To all; one success is enough. */
  ALL_ONE,
  /** To all; the first that is something. */
  ALL_ANY,
  /** To one after the other, as the cursor says. */
  SCAN,
  /** To every connection of the client, now and later. */
  EVERY_LINK,
  /** To the one that has the slot of its first word. */
  BY_CHANNEL,
  /** To none: the shield answers as the one node of a cluster, see {@link OneNodeCluster}. */
  ONE_NODE,
  /** To none: it ends the client. */
  QUIT,
  /** To none: who asks the shield asks one server. */
  REFUSED;

  private static final Map<Placing, List<String>> NAMES =
      Map.ofEntries(
          Map.entry(KEYS_SUM, List.of("del", "unlink", "exists", "touch")),
          Map.entry(PAIRS, List.of("mset")),
          Map.entry(KEYS_LIST, List.of("mget")),
          Map.entry(
              ALL,
              List.of(
                  "flushall",
                  "flushdb",
                  "script|load",
                  "script|flush",
                  "function|load",
                  "function|delete",
                  "function|flush",
                  "function|restore",
                  "config|set",
                  "config|resetstat",
                  "config|rewrite",
                  "acl|setuser",
                  "acl|load",
                  "acl|save",
                  "slowlog|reset")),
          Map.entry(ALL_SUM, List.of("dbsize", "acl|deluser")),
          Map.entry(ALL_LEAST, List.of("wait")),
          Map.entry(ALL_LISTS, List.of("keys")),
          Map.entry(ALL_ONE, List.of("script|kill", "function|kill")),
          Map.entry(ALL_ANY, List.of("randomkey")),
          Map.entry(SCAN, List.of("scan")),
          Map.entry(
              EVERY_LINK,
              List.of(
                  "auth",
                  "hello",
                  "reset",
                  "client|setname",
                  "client|setinfo",
                  "client|no-evict",
                  "client|no-touch")),
          Map.entry(BY_CHANNEL, List.of("spublish", "ssubscribe", "sunsubscribe")),
          Map.entry(ONE_NODE, OneNodeCluster.COMMANDS),
          Map.entry(QUIT, List.of("quit")),
          Map.entry(REFUSED, List.of("client|tracking", "client|caching", "client|reply")));

  /** Returns where the command of a name goes. */
  static Placing of(String name) {
    for (Map.Entry<Placing, List<String>> entry : NAMES.entrySet()) {
      if (entry.getValue().contains(name)) {
        return entry.getKey();
      }
    }
    boolean refused = name.equals("cluster") || name.startsWith("cluster|");
    return refused && !name.equals("cluster|keyslot") ? REFUSED : BY_KEY;
  }

  /** Returns whether a command must be whole before it can go anywhere. */
  boolean needsAll() {
    return this != BY_KEY && this != BY_CHANNEL;
  }

  /** Returns whether a command may be taken apart by its keys. */
  boolean isApart() {
    return this == KEYS_SUM || this == PAIRS || this == KEYS_LIST;
  }

  /** Returns how answers become one. */
  Gather.Kind kind() {
    return switch (this) {
      case KEYS_SUM, ALL_SUM -> Gather.Kind.SUM;
      case ALL_LEAST -> Gather.Kind.LEAST;
      case ALL_LISTS -> Gather.Kind.LISTS;
      case ALL_ONE -> Gather.Kind.ONE;
      case ALL_ANY -> Gather.Kind.ANY;
      default -> Gather.Kind.SAME;
    };
  }
}
