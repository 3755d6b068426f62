package io.heatshield.replay.advise;

/**
 * Settings and their measured effect.
 *
 * @param bytes the memory of one stripe of the detector
 */
public record Outcome(Candidate candidate, Measurement measured, long bytes) {}
