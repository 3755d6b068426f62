package io.heatshield.replay;

/**
 * What the detector looked like at the end of a pane, when its count covers exactly one window.
 *
 * @param millis when, since the trace began
 * @param inWindow touches in the window
 * @param bound by how much an estimate may be too high
 * @param meanError by how much the compared estimates were too high on average
 * @param maxError by how much at most
 * @param hot keys that the detector held for hot
 */
public record Sample(
    long millis, long inWindow, long bound, double meanError, long maxError, int hot) {}
