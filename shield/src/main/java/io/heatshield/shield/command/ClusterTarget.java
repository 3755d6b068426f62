package io.heatshield.shield.command;

import io.heatshield.shield.reply.OneNodeCluster;
import io.heatshield.shield.reply.ReplyGatherer.Kind;
import java.util.Set;

/** The servers of a cluster that a command is sent to, and how their replies are combined. */
public enum ClusterTarget {
  /** The owner of its keys; any server if it has no keys. */
  BY_KEY(Kind.SAME, ""),
  /** The owners of its keys, each with its own keys; the numbers are added. */
  KEYS_SUM(Kind.SUM, "del unlink exists touch"),
  /** The owners of its keys, each with its own pairs of key and value; all replies are equal. */
  PAIRS(Kind.SAME, "mset"),
  /** The owners of its keys; the elements are put in the order of the keys. */
  KEYS_LIST(Kind.BY_KEY, "mget"),
  /** All servers; all replies are equal. */
  ALL(
      Kind.SAME,
      "flushall flushdb script|load script|flush function|load function|delete function|flush"
          + " function|restore config|set config|resetstat config|rewrite acl|setuser acl|load"
          + " acl|save slowlog|reset"),
  /** All servers; the numbers are added. */
  ALL_SUM(Kind.SUM, "dbsize acl|deluser"),
  /** All servers; the smallest number. */
  ALL_LEAST(Kind.LEAST, "wait"),
  /** All servers; the lists are concatenated. */
  ALL_LISTS(Kind.LISTS, "keys"),
  /** All servers; one success is enough. */
  ALL_ONE(Kind.ONE, "script|kill function|kill"),
  /** All servers; the first reply that is not null. */
  ALL_ANY(Kind.ANY, "randomkey"),
  /** One server after the other, in the order that the cursor encodes. */
  SCAN(Kind.PAGE, "scan"),
  /** Every connection of the client, including those that are made later. */
  EVERY_CONNECTION(
      Kind.SAME, "auth hello reset client|setname client|setinfo client|no-evict client|no-touch"),
  /** The owner of the slot of its first argument. */
  BY_CHANNEL(Kind.SAME, "spublish ssubscribe sunsubscribe"),
  /** No server: the shield answers as the only node of a cluster, see {@link OneNodeCluster}. */
  ONE_NODE(Kind.SAME, OneNodeCluster.COMMANDS),
  /** No server: it closes the client. */
  QUIT(Kind.SAME, "quit"),
  /** No server: it makes no sense for a cluster that looks like one server. */
  REFUSED(Kind.SAME, "client|tracking client|caching client|reply");

  private final Kind gathering;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable set.
  private final Set<String> names;

  ClusterTarget(Kind gathering, String names) {
    this.gathering = gathering;
    this.names = Set.of(names.split(" ", -1));
  }

  /** Returns the target of the command with a name. */
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
  public boolean needsWhole() {
    return this != BY_KEY && this != BY_CHANNEL;
  }

  /** Returns whether a command can be split by its keys. */
  public boolean isSplittable() {
    return this == KEYS_SUM || this == PAIRS || this == KEYS_LIST;
  }

  /** Returns how the replies are combined. */
  public Kind gathering() {
    return gathering;
  }
}
