package io.heatshield.detect;

/**
 * An estimate of a key's touches in the window, with its error.
 *
 * @param touches never below the true number, unless {@code atLeast}
 * @param error by how much it may be too high, with the sketch's confidence
 * @param atLeast whether a counter has stopped at its ceiling, so that the true number may be above
 * @param rate the touches per second over the window
 */
public record Estimate(long touches, long error, boolean atLeast, double rate) {}
