package io.heatshield.replay;

/**
 * One of the keys with the most touches.
 *
 * @param key its printable text
 * @param touches the exact number of touches in the trace
 * @param share the fraction of all touches
 * @param peak the exact maximum in any window
 * @param count the exact count in the last window
 * @param estimate the detector's estimate for the last window
 * @param error the largest possible overestimate, as stated by the detector
 */
public record TopKey(
    String key, long touches, double share, int peak, int count, long estimate, long error) {}
