package io.heatshield.limit.coalesce;

import io.heatshield.limit.CounterKey;
import java.util.concurrent.atomic.LongAdder;

/** A key that is hot: its flights, and how much it is used. */
final class HotKey {
  /*
   * used    read and set by every call, cleared by who looks for a place: volatile, written when it changes
   * score   plain, under the lock of the set
   */
  final CounterKey key;
  final Flights flights;
  final Trial trial;
  private final LongAdder touches = new LongAdder();
  private final LongAdder coalesced = new LongAdder();
  private final LongAdder wouldHaveCoalesced = new LongAdder();
  private volatile boolean used = true;
  private long score;

  HotKey(CounterKey key, long score, Hangar hangar) {
    this.key = key;
    this.score = score;
    this.flights = new Flights(key, hangar);
    this.trial = new Trial(hangar.now(), hangar.terms().windowNanos());
  }

  /** Counts a call. */
  void touch() {
    touches.increment();
    if (!used) {
      used = true;
    }
  }

  /** Counts a call that shares a call to the counters, or would do so. */
  void applied(boolean enforced) {
    (enforced ? coalesced : wouldHaveCoalesced).increment();
  }

  /** Returns the calls since the key turned hot. */
  CoalescedCalls calls() {
    return new CoalescedCalls(coalesced.sum(), wouldHaveCoalesced.sum());
  }

  /** Returns whether it was used since this was last asked. */
  boolean wasUsed() {
    boolean was = used;
    if (was) {
      used = false;
    }
    return was;
  }

  /** Halves the count of calls, and returns whether it was below the threshold before. */
  boolean cools(long threshold) {
    long count = score + touches.sumThenReset();
    score = count / 2;
    return count < threshold;
  }
}
