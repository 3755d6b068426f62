package io.heatshield.limit.rule;

import io.heatshield.limit.DescriptorEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The path from the top of a domain to a rule, as far as the rules tell it; immutable. */
public final class RulePath {
  private final String domain;

  /** The keys and values that rules say; what stands for the value of an open entry is no value. */
  private final List<DescriptorEntry> entries;

  /** For each entry the pattern that stands for its value, or null; null if none does. */
  private final @Nullable String @Nullable [] shared;

  private final String[] keys;

  /** For each entry the value that a descriptor has to bring, or null if any will do. */
  private final @Nullable String[] values;

  private final boolean open;
  private final boolean openBefore;

  /** Takes the rules on the way, that which it leads to as the last. */
  RulePath(String domain, List<Rule> rules) {
    this.domain = domain;
    this.entries =
        rules.stream().map(rule -> new DescriptorEntry(rule.key(), rule.value())).toList();
    this.shared =
        rules.stream().anyMatch(RulePath::shares)
            ? rules.stream()
                .map(rule -> shares(rule) ? rule.pattern() : null)
                .toArray(String[]::new)
            : null;
    this.keys = rules.stream().map(Rule::key).toArray(String[]::new);
    this.values =
        rules.stream()
            .map(rule -> shares(rule) || opens(rule) ? null : rule.value())
            .toArray(String[]::new);
    this.open = opens(rules.get(rules.size() - 1));
    this.openBefore = rules.stream().limit(rules.size() - 1L).anyMatch(RulePath::opens);
  }

  /** Returns the domain. */
  public String domain() {
    return domain;
  }

  /** Returns the keys and values that the rules say. */
  public List<DescriptorEntry> entries() {
    return entries;
  }

  /** Returns for each entry the pattern that stands for its value, or null; null if none does. */
  public @Nullable String @Nullable [] shared() {
    return shared;
  }

  /** Returns whether only a descriptor tells the last value. */
  public boolean isOpen() {
    return open;
  }

  /** Returns whether only a descriptor tells some value before the last. */
  public boolean isOpenBefore() {
    return openBefore;
  }

  /**
   * Returns whether the entries of a descriptor that led to the rule say what the path does: rules
   * match key and value joined, so an entry may be split elsewhere than its rule.
   */
  public boolean fits(List<DescriptorEntry> descriptor) {
    for (int i = 0; i < keys.length; i++) {
      DescriptorEntry entry = descriptor.get(i);
      String value = values[i];
      if (!keys[i].equals(entry.key()) || (value != null && !value.equals(entry.value()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean opens(Rule rule) {
    return !shares(rule) && (rule.value().isEmpty() || rule.isWildcard());
  }

  private static boolean shares(Rule rule) {
    return rule.flags().contains(Rule.Flag.SHARE_THRESHOLD);
  }
}
