package io.heatshield.detect;

/**
 * A prefix that is hot by what its hot keys and its hot longer prefixes do not explain.
 *
 * @param prefix the prefix, with its separator
 * @param estimate touches in the window of all keys that begin with it
 * @param unexplained the part of the estimate that remains without those of its hot descendants
 * @param error by how much the estimate may be too high
 * @param rate the unexplained part as touches per second
 */
public record HotPrefix(
    StoredKey prefix, long estimate, long unexplained, long error, double rate) {}
