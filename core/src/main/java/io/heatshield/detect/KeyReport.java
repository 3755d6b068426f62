package io.heatshield.detect;

import io.heatshield.detect.Verdict.Kind;

/**
 * A snapshot of one tracked key.
 *
 * @param key the key, or the first bytes of a long one
 * @param hash the keyed hash that it is counted by
 * @param kind the kind of its last verdict
 * @param estimate touches in the window, never below the true number unless {@code atLeast}
 * @param error by how much the estimate may be too high
 * @param guaranteed exactly counted touches, never above the true number
 * @param rate estimated touches per second over the window
 * @param firstSeenNanos the ticker's reading when the key won its place
 * @param lastSeenNanos the ticker's reading of its last touch since then
 * @param sinceNanos the ticker's reading when it turned hot or uncertain; 0 when cool
 * @param atLeast whether a counter has stopped at its ceiling, so that the true number may be above
 */
public record KeyReport(
    StoredKey key,
    long hash,
    Kind kind,
    long estimate,
    long error,
    long guaranteed,
    double rate,
    long firstSeenNanos,
    long lastSeenNanos,
    long sinceNanos,
    boolean atLeast) {}
