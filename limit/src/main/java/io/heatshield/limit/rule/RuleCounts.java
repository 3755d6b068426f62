package io.heatshield.limit.rule;

import java.util.concurrent.atomic.LongAdder;

/** The hits of one rule since the limiter was created, by result. Any thread may read it. */
public final class RuleCounts {
  /*
   * Every hit is in exactly one of within, over and rest, so a decision increments one of them, and
   * no total.
   */
  final LongAdder within = new LongAdder();
  final LongAdder near = new LongAdder();
  final LongAdder over = new LongAdder();
  final LongAdder overByLocalCache = new LongAdder();
  final LongAdder shadow = new LongAdder();

  /** Hits below the limit in a request that crossed it, and hits that were not counted. */
  final LongAdder rest = new LongAdder();

  RuleCounts() {}

  /** Returns all hits. */
  public long total() {
    return within.sum() + over.sum() + rest.sum();
  }

  /** Returns the hits of requests that stayed within the limit. */
  public long within() {
    return within.sum();
  }

  /** Returns the hits above the near-limit part of the limit, but not over it. */
  public long near() {
    return near.sum();
  }

  /** Returns the hits over the limit. */
  public long over() {
    return over.sum();
  }

  /** Returns the hits over the limit that were answered without the backend. */
  public long overByLocalCache() {
    return overByLocalCache.sum();
  }

  /** Returns the hits that would have been refused, had the rule not been in shadow mode. */
  public long shadow() {
    return shadow.sum();
  }
}
