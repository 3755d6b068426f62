package io.heatshield.contest;

import io.heatshield.action.Mode;

/**
 * The counts of a rule since its table was created.
 *
 * @param rule the name of the rule
 * @param mode its mode
 * @param refused the touches that it refused
 * @param wouldHaveRefused the touches that it would have refused in {@link Mode#OBSERVE}
 */
public record RuleStats(String rule, Mode mode, long refused, long wouldHaveRefused) {}
