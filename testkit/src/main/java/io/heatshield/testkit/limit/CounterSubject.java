package io.heatshield.testkit.limit;

import java.util.concurrent.CompletionStage;

/** The adapter through which {@link CounterContract} calls a counter backend. */
@FunctionalInterface
public interface CounterSubject {

  /**
   * Adds hits to a counter and returns its new count.
   *
   * @param key any text; two texts are two counters
   * @param unit one of second, minute, hour, day
   * @param algorithm one of fixed_window, sliding_window, gcra
   * @param clockMillis the Unix time of the call
   */
  CompletionStage<Long> add(
      String key, String unit, String algorithm, long limit, long hits, long clockMillis);
}
