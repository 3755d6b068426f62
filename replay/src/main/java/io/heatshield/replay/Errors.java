package io.heatshield.replay;

/**
 * The errors of the detector's estimates.
 *
 * @param compared the number of estimates that were compared with exact counts
 * @param mean the mean overestimate
 * @param max the largest overestimate
 * @param maxBound the highest error bound that the detector stated
 * @param withinBound the number of estimates within the bound stated at that moment
 * @param below the number of estimates below the exact count; always 0 if the detector is correct
 */
public record Errors(
    long compared, double mean, long max, long maxBound, long withinBound, long below) {}
