package io.heatshield.detect;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;

/**
 * A snapshot of one tracked key.
 *
 * @param key the key, or the first bytes of a long one; {@code toString} is safe to print
 * @param kind the kind of its last verdict
 * @param estimate touches in the window, never below the true number unless {@code atLeast}
 * @param error by how much the estimate may be too high
 * @param guaranteed exactly counted touches, never above the true number
 * @param atLeast whether a counter has stopped at its ceiling, so that the true number may be above
 * @param rate estimated touches per second over the window
 * @param hotFor the time since the key turned hot, or was first uncertain; zero if it is cool. In
 *     the report of a key that has just cooled, how long it was hot
 * @param trackedFor the time since the key won its place
 * @param idleFor the time since its last touch, or since it won its place
 * @param takenAt the reading of the detector's ticker that the times are relative to
 */
public record KeyReport(
    StoredKey key,
    Kind kind,
    long estimate,
    long error,
    long guaranteed,
    boolean atLeast,
    double rate,
    Duration hotFor,
    Duration trackedFor,
    Duration idleFor,
    long takenAt) {}
