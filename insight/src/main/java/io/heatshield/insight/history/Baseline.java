package io.heatshield.insight.history;

/**
 * How hot something usually was.
 *
 * @param rate the median of its rates, 0 for a moment in which it was not among the hottest
 * @param moments how many moments that is taken over
 */
public record Baseline(double rate, int moments) {}
