package io.heatshield.insight.history;

/** How hot something was at one moment, in touches per second. */
public record Heat(HotName name, double rate) {}
