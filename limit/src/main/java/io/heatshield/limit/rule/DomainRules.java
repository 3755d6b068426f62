package io.heatshield.limit.rule;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.LimitOverride;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of one domain, as a tree with a level for each entry of a path. Immutable. */
final class DomainRules {
  private final String domain;
  private final Level top;

  DomainRules(String domain, Level top) {
    this.domain = domain;
    this.top = top;
  }

  /** Returns the limit that applies to a descriptor, an override or that of a rule, or null. */
  public @Nullable AppliedRule find(Descriptor descriptor) {
    LimitOverride override = descriptor.override();
    return override == null
        ? find(descriptor.entries())
        : AppliedRule.of(domain, descriptor.entries(), override);
  }

  /**
   * Returns the rule for a path of entries, or null.
   *
   * <p>Each entry takes the best match of its level, without backtracking. A limit applies only if
   * it is where the path ends.
   */
  @Nullable AppliedRule find(List<DescriptorEntry> entries) {
    Level level = top;
    int last = entries.size() - 1;
    if (last < 0) {
      return null;
    }
    for (int i = 0; i < last; i++) {
      Node node = level.find(entries.get(i));
      if (node == null || node.below == null) {
        return null;
      }
      level = node.below;
    }
    Node node = level.find(entries.get(last));
    return node == null ? null : node.rule;
  }

  /** Returns the name of the statistics of a rule for the path that led to it. */
  public String countsName(AppliedRule rule, List<DescriptorEntry> entries) {
    var name = new StringBuilder(domain);
    @Nullable Level level = top;
    for (DescriptorEntry entry : entries) {
      Node node = level == null ? null : level.find(entry);
      if (node == null) {
        break;
      }
      name.append('.');
      if ((rule.isDetailed() || node.valueInName) && !node.shared) {
        name.append(entry.key());
        if (!entry.value().isEmpty() || (rule.isDetailed() && !rule.isShared())) {
          name.append('_').append(entry.value());
        }
      } else {
        name.append(node.pattern);
      }
      level = node.below;
    }
    return name.toString();
  }

  /** The rules of one level of a domain. Immutable. */
  static final class Level {
    private final Map<String, Node> exact;
    private final List<Node> wildcards;

    private Level(Map<String, Node> exact, List<Node> wildcards) {
      this.exact = exact;
      this.wildcards = wildcards;
    }

    /**
     * Returns a level of these nodes, whose wildcards are tried in this order.
     *
     * @throws IllegalArgumentException if two have the same pattern
     */
    static Level of(List<Node> nodes) {
      var exact = new HashMap<String, Node>();
      for (Node node : nodes) {
        if (exact.put(node.pattern, node) != null) {
          throw new IllegalArgumentException("pattern must be unique on its level: " + node.name);
        }
      }
      return new Level(exact, nodes.stream().filter(node -> node.wildcard).toList());
    }

    /** Returns the node for an entry: exact first, then wildcards, then the key alone. */
    @Nullable Node find(DescriptorEntry entry) {
      Node node = exact.get(entry.key() + "_" + entry.value());
      if (node != null) {
        return node;
      }
      for (Node wildcard : wildcards) {
        if (WildcardPattern.matches(wildcard.pattern, entry.key(), entry.value())) {
          return wildcard;
        }
      }
      return exact.get(entry.key());
    }
  }

  /** A rule on its level. */
  static final class Node {
    final String pattern;
    final boolean wildcard;
    final boolean shared;
    final boolean valueInName;
    final String name;
    final @Nullable AppliedRule rule;
    final @Nullable Level below;

    Node(Rule rule, String name, @Nullable AppliedRule applied, @Nullable Level below) {
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
