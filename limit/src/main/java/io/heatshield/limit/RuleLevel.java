package io.heatshield.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one level, found without allocating; immutable once built. */
final class RuleLevel {
  /*
   * Open addressing by String.hashCode, at most half full.
   *
   *   table[slot]   hash of the pattern, 32 bits; where it begins in texts, 32 bits; one slot more than there are
   *   texts         all patterns, in the order of their slots: each ends where that of the next slot begins
   *   nodes[slot], rules[slot]
   *
   * What is looked for is "key_value", which is never put together: hash(a + b) = hash(a) * 31^length(b) + hash(b),
   * both hashes are cached in the strings, and the comparison goes piece by piece. Among very many rules time goes into
   * lines that no cache holds: a search reads one of the table, one of the texts and one of the rules, and none of them
   * has to wait for another. Names come from the configuration, so nobody outside can make them collide.
   */
  private static final int[] POWERS = powers();
  private static final int SPREAD = 0x9e3779b1;
  private static final int NONE = -1;

  private final long[] table;
  private final String texts;
  private final Node[] nodes;
  private final @Nullable AppliedRule[] rules;
  private final int[] wildcards;
  private final boolean joined;

  private RuleLevel(Node[] nodes, int[] wildcards) {
    this.nodes = nodes;
    this.wildcards = wildcards;
    this.rules = new AppliedRule[nodes.length];
    this.table = new long[nodes.length + 1];
    var all = new StringBuilder();
    for (int slot = 0; slot < nodes.length; slot++) {
      table[slot] = all.length();
      if (nodes[slot] != null) {
        rules[slot] = nodes[slot].rule;
        table[slot] |= (long) nodes[slot].pattern.hashCode() << 32;
        all.append(nodes[slot].pattern);
      }
    }
    table[nodes.length] = all.length();
    this.texts = all.toString();
    this.joined = texts.indexOf('_') >= 0;
  }

  /**
   * Returns the level of these nodes, in the order in which wildcards are tried.
   *
   * @throws IllegalArgumentException if two have the same pattern
   */
  static RuleLevel of(List<Node> nodes) {
    var slots = new Node[Math.max(4, Integer.highestOneBit(nodes.size()) * 4)];
    var wildcards = new ArrayList<Integer>();
    for (Node node : nodes) {
      int slot = first(node.pattern.hashCode(), slots.length);
      while (slots[slot] != null) {
        if (slots[slot].pattern.equals(node.pattern)) {
          throw new IllegalArgumentException("pattern must be unique on its level: " + node.name);
        }
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = node;
      if (node.wildcard) {
        wildcards.add(slot);
      }
    }
    return new RuleLevel(slots, wildcards.stream().mapToInt(slot -> slot).toArray());
  }

  /** Returns the node for an entry: exact first, then wildcards, then the key alone. */
  @Nullable Node find(Entry entry) {
    int slot = slot(entry);
    return slot == NONE ? null : nodes[slot];
  }

  /** Returns what the node for an entry sets, if there is one and it sets anything. */
  @Nullable AppliedRule findRule(Entry entry) {
    int slot = slot(entry);
    return slot == NONE ? null : rules[slot];
  }

  private int slot(Entry entry) {
    String key = entry.key();
    int exact = joined ? exact(key, entry.value()) : NONE;
    if (exact != NONE) {
      return exact;
    }
    for (int wildcard : wildcards) {
      if (Glob.matches(nodes[wildcard].pattern, key, entry.value())) {
        return wildcard;
      }
    }
    return alone(key);
  }

  private int exact(String key, String value) {
    int length = key.length() + 1 + value.length();
    int hash = (key.hashCode() * 31 + '_') * power(value.length()) + value.hashCode();
    for (int slot = first(hash, nodes.length); ; slot = (slot + 1) & (nodes.length - 1)) {
      long found = table[slot];
      int begin = (int) found;
      int size = (int) table[slot + 1] - begin;
      if (size == 0) {
        return NONE;
      }
      if ((int) (found >> 32) == hash
          && size == length
          && texts.startsWith(value, begin + key.length() + 1)
          && texts.charAt(begin + key.length()) == '_'
          && texts.startsWith(key, begin)) {
        return slot;
      }
    }
  }

  private int alone(String key) {
    int hash = key.hashCode();
    for (int slot = first(hash, nodes.length); ; slot = (slot + 1) & (nodes.length - 1)) {
      Node node = nodes[slot];
      if (node == null) {
        return NONE;
      }
      if ((int) (table[slot] >> 32) == hash && node.pattern.equals(key)) {
        return slot;
      }
    }
  }

  /** Returns the slot to begin at: names that are numbered have hashes that lie close together. */
  private static int first(int hash, int slots) {
    return (hash * SPREAD) >>> (Integer.numberOfLeadingZeros(slots) + 1);
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
