package io.heatshield.replay.advise;

/**
 * Settings with what they did.
 *
 * @param bytes the detector's memory, for each of its stripes
 */
public record Outcome(Choice choice, Part part, long bytes) {}
