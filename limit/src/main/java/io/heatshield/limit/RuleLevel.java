package io.heatshield.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one level, found without allocating; immutable once built. */
final class RuleLevel {
  /*
   * Open addressing by String.hashCode, at most half full. What is looked for is "key_value", which
   * is never put together: hash(a + b) = hash(a) * 31^length(b) + hash(b), both hashes are cached in
   * the strings, and the comparison goes piece by piece. Hashes lie beside the nodes so that one that
   * does not match is not touched. Names come from the configuration, so
   * nobody outside can make them collide.
   */
  private static final int[] POWERS = powers();

  private final Node[] slots;
  private final int[] hashes;
  private final Node[] wildcards;

  private RuleLevel(Node[] slots, Node[] wildcards) {
    this.slots = slots;
    this.hashes = new int[slots.length];
    this.wildcards = wildcards;
    for (int i = 0; i < slots.length; i++) {
      hashes[i] = slots[i] == null ? 0 : slots[i].pattern.hashCode();
    }
  }

  /**
   * Returns the level of these nodes, in the order in which wildcards are tried.
   *
   * @throws IllegalArgumentException if two have the same pattern
   */
  static RuleLevel of(List<Node> nodes) {
    var slots = new Node[Math.max(4, Integer.highestOneBit(nodes.size()) * 4)];
    var wildcards = new ArrayList<Node>();
    for (Node node : nodes) {
      int slot = spread(node.pattern.hashCode()) & (slots.length - 1);
      while (slots[slot] != null) {
        if (slots[slot].pattern.equals(node.pattern)) {
          throw new IllegalArgumentException("pattern must be unique on its level: " + node.name);
        }
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = node;
      if (node.wildcard) {
        wildcards.add(node);
      }
    }
    return new RuleLevel(slots, wildcards.toArray(Node[]::new));
  }

  /** Returns the node for an entry: exact first, then wildcards, then the key alone. */
  @Nullable Node find(Entry entry) {
    Node exact = exact(entry.key(), entry.value());
    if (exact != null) {
      return exact;
    }
    for (Node wildcard : wildcards) {
      if (Glob.matches(wildcard.pattern, entry.key(), entry.value())) {
        return wildcard;
      }
    }
    return alone(entry.key());
  }

  private @Nullable Node exact(String key, String value) {
    int length = key.length() + 1 + value.length();
    int hash = (key.hashCode() * 31 + '_') * power(value.length()) + value.hashCode();
    for (int slot = spread(hash) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      Node node = slots[slot];
      if (node == null) {
        return null;
      }
      if (hashes[slot] != hash) {
        continue;
      }
      String name = node.pattern;
      if (name.length() == length
          && name.startsWith(key)
          && name.charAt(key.length()) == '_'
          && name.startsWith(value, key.length() + 1)) {
        return node;
      }
    }
  }

  private @Nullable Node alone(String key) {
    int hash = key.hashCode();
    for (int slot = spread(hash) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      Node node = slots[slot];
      if (node == null || (hashes[slot] == hash && node.pattern.equals(key))) {
        return node;
      }
    }
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  private static int power(int exponent) {
    int power = POWERS[exponent & (POWERS.length - 1)];
    for (int rest = exponent / POWERS.length; rest > 0; rest--) {
      power *= POWERS[POWERS.length - 1] * 31;
    }
    return power;
  }

  private static int[] powers() {
    var powers = new int[64];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 31;
    }
    return powers;
  }

  /** A rule on its level. */
  static final class Node {
    final String pattern;
    final boolean wildcard;
    final boolean shared;
    final boolean valueInName;
    final String name;
    final @Nullable AppliedRule rule;
    final @Nullable RuleLevel below;

    Node(Rule rule, String name, @Nullable AppliedRule applied, @Nullable RuleLevel below) {
      this.pattern = rule.pattern();
      this.wildcard = rule.isWildcard();
      this.shared = rule.flags().contains(Rule.Flag.SHARE_THRESHOLD);
      this.valueInName = rule.flags().contains(Rule.Flag.VALUE_TO_METRIC);
      this.name = name;
      this.rule = applied;
      this.below = below;
    }
  }
}
