package io.heatshield.limit.yaml;

import io.heatshield.limit.rule.RuleSet;
import java.util.List;

/** The result of loading rule files: all of their rules, or every fault. */
public sealed interface LoadResult {

  /** Rules without a fault. */
  record Valid(RuleSet rules) implements LoadResult {}

  /** Every fault, by file and line. */
  record Invalid(List<RuleFault> faults) implements LoadResult {}
}
