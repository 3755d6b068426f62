package io.heatshield.insight.explain;

/**
 * How often one action was applied to one key since the key turned hot.
 *
 * @param action the action's name
 * @param acted how often it took effect
 * @param wouldHaveActed how often it would have taken effect, while it only observed
 */
public record KeyEffect(String action, long acted, long wouldHaveActed) {}
