package io.heatshield.shield;

import io.heatshield.shield.ReplyGatherer.Kind;
import java.util.Set;

/** To which servers of a cluster a command goes, and how their replies become one. */
enum ClusterTarget {
  /** The owner of its keys; without keys, any server. */
  BY_KEY(Kind.SAME),
  /** The owners of its keys, each with its own keys; the numbers are added. */
  KEYS_SUM(Kind.SUM, "del", "unlink", "exists", "touch"),
  /** The same with pairs of key and value; all replies are equal. */
  PAIRS(Kind.SAME, "mset"),
  /** The same; the elements are put in the order of the keys. */
  KEYS_LIST(Kind.BY_KEY, "mget"),
  /** All servers; all replies are equal. */
  ALL(
      Kind.SAME,
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
      "slowlog|reset"),
  /** All servers; the numbers are added. */
  ALL_SUM(Kind.SUM, "dbsize", "acl|deluser"),
  /** All servers; the smallest number. */
  ALL_LEAST(Kind.LEAST, "wait"),
  /** All servers; the lists are concatenated. */
  ALL_LISTS(Kind.LISTS, "keys"),
  /** All servers; one success is enough. */
  ALL_ONE(Kind.ONE, "script|kill", "function|kill"),
  /** All servers; the first reply that is not null. */
  ALL_ANY(Kind.ANY, "randomkey"),
  /** One server after the other, as the cursor says. */
  SCAN(Kind.PAGE, "scan"),
  /** Every connection of the client, also those that are made later. */
  EVERY_CONNECTION(
      Kind.SAME,
      "auth",
      "hello",
      "reset",
      "client|setname",
      "client|setinfo",
      "client|no-evict",
      "client|no-touch"),
  /** The owner of the slot of its first argument. */
  BY_CHANNEL(Kind.SAME, "spublish", "ssubscribe", "sunsubscribe"),
  /** None: the shield answers as the one node of a cluster, see {@link OneNodeCluster}. */
  ONE_NODE(Kind.SAME, OneNodeCluster.COMMANDS.toArray(String[]::new)),
  /** None: it closes the client. */
  QUIT(Kind.SAME, "quit"),
  /** None: it makes no sense for a cluster that looks like one server. */
  REFUSED(Kind.SAME, "client|tracking", "client|caching", "client|reply");

  private final Kind gathering;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable set.
  private final Set<String> names;

  ClusterTarget(Kind gathering, String... names) {
    this.gathering = gathering;
    this.names = Set.of(names);
  }

  /** Returns the target of the command of this name. */
  static ClusterTarget of(String name) {
    for (ClusterTarget target : values()) {
      if (target.names.contains(name)) {
        return target;
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
  Kind gathering() {
    return gathering;
  }
}
