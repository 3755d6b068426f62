package io.heatshield.insight.explain;

/**
 * The number of times that an action was applied to a key since the key turned hot.
 *
 * @param action the action's name
 * @param acted how often it was applied
 * @param wouldHaveActed how often it would have been applied, in observe mode
 */
public record KeyEffect(String action, long acted, long wouldHaveActed) {}
