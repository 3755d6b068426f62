package io.heatshield.detect;

/**
 * A prefix that is hot without the touches of its hot keys and of its longer hot prefixes.
 *
 * @param prefix the prefix, with its separator
 * @param estimate the touches in the window of all keys that begin with it
 * @param unexplained the estimate without the touches of its hot keys and longer hot prefixes
 * @param error by how much the estimate may be too high
 * @param rate the unexplained touches per second
 */
public record HotPrefix(
    StoredKey prefix, long estimate, long unexplained, long error, double rate) {}
