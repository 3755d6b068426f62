package io.heatshield.limit.yaml;

import io.heatshield.limit.rule.RuleSet;
import java.util.List;

/** What came of reading rule files: all of their rules, or every reason why not. */
public sealed interface LoadResult {

  /** Rules without a fault. */
  record Valid(RuleSet rules) implements LoadResult {}

  /** Every fault, by file and line. */
  record Invalid(List<RuleFault> faults) implements LoadResult {}
}
