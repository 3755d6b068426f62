package io.heatshield.limit.counter;

import io.heatshield.limit.Limit;

/**
 * Stores counters.
 *
 * <p>Any thread may call it, event loops included: it never blocks. Incrementing a counter and
 * setting its expiry are one atomic step, and hits are never added twice. Every backend passes the
 * suite {@code CounterContract} in {@code testkit}.
 *
 * <p>The limit is not part of the key because a reload may change it while the count continues.
 */
public interface CounterBackend {

  /**
   * Adds hits to one counter and calls the sink exactly once, before or after this method returns.
   *
   * <p>The count is that of the present window after the addition. In a fixed window it continues
   * past the limit. Under the other algorithms hits that would exceed the limit are not added, and
   * the count is what it would have become.
   *
   * @param hits 0 to 4294967295, in a fixed window of each of thousands of callers; 0 only reads
   * @param clockMillis the Unix time of the request
   * @param slot passed to the sink, to identify the counter
   */
  void add(CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot);

  /**
   * Adds hits of callers that have waited before this call. A backend with a time budget deducts
   * the wait from it.
   *
   * @param lateNanos the time of the wait
   */
  default void addLate(
      CounterKey key,
      Limit limit,
      long hits,
      long clockMillis,
      long lateNanos,
      CounterSink sink,
      int slot) {
    add(key, limit, hits, clockMillis, sink, slot);
  }
}
