package io.heatshield.replay;

/**
 * One of the keys with the most touches.
 *
 * @param key its printable text
 * @param touches its touches in the trace, exactly
 * @param share its part of all touches
 * @param peak the most touches that any window held, exactly
 * @param count its touches in the last window, exactly
 * @param estimate the detector's number for the same window
 * @param error by how much the detector says that this may be too high
 */
public record TopKey(
    String key, long touches, double share, int peak, int count, long estimate, long error) {}
