package io.heatshield.replay;

/**
 * The state of the detector at the end of a pane, when its count covers exactly one window.
 *
 * @param millis milliseconds since the start of the trace
 * @param inWindow touches in the window
 * @param bound the stated error bound of an estimate
 * @param meanError the mean overestimate of the compared keys
 * @param maxError the largest overestimate of the compared keys
 * @param hot keys that the detector reports as hot
 */
public record Sample(
    long millis, long inWindow, long bound, double meanError, long maxError, int hot) {}
