package io.heatshield.limit.rule;

import io.heatshield.limit.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a rule.
 *
 * @param limit null if the rule is unlimited
 * @param name the name by which other rules replace it; empty if none can
 * @param replaces the names of the rules that it replaces in a request
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
