package io.heatshield.insight.history;

/** The rate of a key or prefix in one sample, in requests per second. */
public record Heat(HotName name, double rate) {}
