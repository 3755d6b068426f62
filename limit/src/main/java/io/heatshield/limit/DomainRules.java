package io.heatshield.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one domain; immutable. */
final class DomainRules {
  private final String domain;
  private final RuleLevel top;

  DomainRules(String domain, RuleLevel top) {
    this.domain = domain;
    this.top = top;
  }

  /**
   * Returns the rule for a path of entries, or null; allocates nothing.
   *
   * <p>Each entry takes the best match of its level and there is no way back. A limit applies only
   * if it stands where the path ends.
   */
  @Nullable AppliedRule find(List<Entry> entries) {
    RuleLevel level = top;
    int last = entries.size() - 1;
    if (last < 0) {
      return null;
    }
    for (int i = 0; i < last; i++) {
      RuleLevel.Node node = level.find(entries.get(i));
      if (node == null || node.below == null) {
        return null;
      }
      level = node.below;
    }
    return level.findRule(entries.get(last));
  }

  /** Returns the name that the counts of a rule go by for this path, which led to it. */
  String countsName(AppliedRule rule, List<Entry> entries) {
    var name = new StringBuilder(domain);
    @Nullable RuleLevel level = top;
    for (Entry entry : entries) {
      RuleLevel.Node node = level == null ? null : level.find(entry);
      if (node == null) {
        break;
      }
      name.append('.');
      if ((rule.detailed || node.valueInName) && !node.shared) {
        name.append(entry.key());
        if (!entry.value().isEmpty() || (rule.detailed && !rule.isShared())) {
          name.append('_').append(entry.value());
        }
      } else {
        name.append(node.pattern);
      }
      level = node.below;
    }
    return name.toString();
  }
}
