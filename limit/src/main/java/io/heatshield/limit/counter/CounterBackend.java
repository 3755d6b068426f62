package io.heatshield.limit.counter;

import io.heatshield.limit.Limit;

/**
 * Where counters live.
 *
 * <p>Any thread may call it, an event loop among them: it never waits. Raising a counter and
 * setting its end are one step, and hits are never added twice. The suite that every backend passes
 * is {@code CounterContract} in {@code testkit}.
 *
 * <p>The limit stands beside the key because it may change from call to call: a reload changes it
 * and the count goes on.
 */
public interface CounterBackend {

  /**
   * Adds hits to one counter and tells the sink, before or after this method returns, exactly once.
   *
   * <p>The count is that of the present window after the addition. It goes on past the limit in a
   * fixed window; under the other algorithms hits that would exceed the limit are not added, and
   * the count told is what it would have become.
   *
   * @param hits 0 to 4294967295, in a fixed window of each of thousands of callers; 0 only looks
   * @param clockMillis the Unix time that the request was given
   * @param slot what the sink is told to know which counter is meant
   */
  void add(CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot);

  /**
   * Adds hits of callers who had to wait before this call; a backend that has a time budget for an
   * answer takes that off it.
   *
   * @param lateNanos how long they had to
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
