package io.heatshield.replay;

/**
 * By how much estimates were too high, against what the detector says about it.
 *
 * @param compared estimates that were compared with the truth
 * @param mean by how much they were too high on average
 * @param max by how much at most
 * @param maxBound the highest bound that the detector stated at those moments
 * @param withinBound how many were within the bound stated at their moment
 * @param below how many were below the truth, which must be none
 */
public record Errors(
    long compared, double mean, long max, long maxBound, long withinBound, long below) {}
