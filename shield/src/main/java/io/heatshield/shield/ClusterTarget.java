package io.heatshield.shield;

import java.util.List;
import java.util.Map;

/** To which servers of a cluster a command goes, and how their replies become one. */
enum ClusterTarget {
  /** The owner of its keys; without keys, any server. */
  BY_KEY,
  /** The owners of its keys, each with its own keys; the numbers are added. */
  KEYS_SUM,
  /** The same with pairs of key and value; all replies are equal. */
  PAIRS,
  /** The same; the elements are put in the order of the keys. */
  KEYS_LIST,
  /** All servers; all replies are equal. */
  ALL,
  /** All servers; the numbers are added. */
  ALL_SUM,
  /** All servers; the smallest number. */
  ALL_LEAST,
  /** All servers; the lists are concatenated. */
  ALL_LISTS,
  /** All servers; one success is enough. */
  ALL_ONE,
  /** All servers; the first reply that is not null. */
  ALL_ANY,
  /** One server after the other, as the cursor says. */
  SCAN,
  /** Every connection of the client, also those that are made later. */
  EVERY_CONNECTION,
  /** The owner of the slot of its first argument. */
  BY_CHANNEL,
  /** None: the shield answers as the one node of a cluster, see {@link OneNodeCluster}. */
  ONE_NODE,
  /** None: it closes the client. */
  QUIT,
  /** None: it makes no sense for a cluster that looks like one server. */
  REFUSED;

  private static final Map<ClusterTarget, List<String>> NAMES =
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
              EVERY_CONNECTION,
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

  /** Returns the target of the command of this name. */
  static ClusterTarget of(String name) {
    for (Map.Entry<ClusterTarget, List<String>> entry : NAMES.entrySet()) {
      if (entry.getValue().contains(name)) {
        return entry.getKey();
      }
    }
    boolean refused = name.equals("cluster") || name.startsWith("cluster|");
    return refused && !name.equals("cluster|keyslot") ? REFUSED : BY_KEY;
  }

  /** Returns whether a command must be complete before it can be routed. */
  boolean needsWhole() {
    return this != BY_KEY && this != BY_CHANNEL;
  }

  /** Returns whether a command can be split by its keys. */
  boolean isSplittable() {
    return this == KEYS_SUM || this == PAIRS || this == KEYS_LIST;
  }

  /** Returns how the replies become one. */
  ReplyGatherer.Kind gathering() {
    return switch (this) {
      case KEYS_SUM, ALL_SUM -> ReplyGatherer.Kind.SUM;
      case ALL_LEAST -> ReplyGatherer.Kind.LEAST;
      case ALL_LISTS -> ReplyGatherer.Kind.LISTS;
      case ALL_ONE -> ReplyGatherer.Kind.ONE;
      case ALL_ANY -> ReplyGatherer.Kind.ANY;
      default -> ReplyGatherer.Kind.SAME;
    };
  }
}
