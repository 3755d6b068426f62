package io.heatshield.limit.rule;

import io.heatshield.limit.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rule sets.
 *
 * @param limit null if the rule is unlimited
 * @param name what other rules replace it by; empty if nothing can
 * @param replaces the names of rules that do not apply to a request to which this one does
 */
public record RuleLimit(@Nullable Limit limit, String name, List<String> replaces) {
  /** Copies the list. */
  public RuleLimit {
    replaces = List.copyOf(replaces);
  }

  /** Returns a limit without a name. */
  public static RuleLimit of(Limit limit) {
    return new RuleLimit(limit, "", List.of());
  }
}
