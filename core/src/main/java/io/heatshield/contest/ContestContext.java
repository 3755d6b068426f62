package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * The functions and callbacks of a table of keys, which stay when its settings change.
 *
 * @param hash the hash of keys and of distinct targets
 * @param longKeyHash the second hash, by which long keys are stored
 * @param seeds the source of the seeds of the stripes' random number generators
 * @param onEvicted receives every entry that a contest or a reduction of the table evicts, from the
 *     thread that evicted it, without a lock
 */
record ContestContext(
    KeyHash hash,
    KeyHash longKeyHash,
    Ticker ticker,
    SecureRandom seeds,
    Consumer<Tracked> onEvicted) {}
