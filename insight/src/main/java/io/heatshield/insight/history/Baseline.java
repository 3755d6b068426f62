package io.heatshield.insight.history;

/**
 * The usual rate of a key or prefix.
 *
 * @param rate the median rate, where a sample without the key counts as 0
 * @param moments the number of samples
 */
public record Baseline(double rate, int moments) {}
