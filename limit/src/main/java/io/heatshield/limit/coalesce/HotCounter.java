package io.heatshield.limit.coalesce;

import io.heatshield.limit.counter.CounterKey;
import java.util.concurrent.atomic.LongAdder;

/** A counter that is hot: its batcher, and how much it is used. Any thread may call any method. */
final class HotCounter {
  /*
   * used                   volatile; set by every call if it is not, cleared by the clock hand
   * score                  guarded by the lock of HotCounters
   * simulated...           guarded by this
   */
  final CounterKey key;
  final Batcher batcher;
  private final LongAdder touches = new LongAdder();
  private final LongAdder coalesced = new LongAdder();
  private final LongAdder wouldHaveCoalesced = new LongAdder();
  private volatile boolean used = true;
  private long score;
  private long simulatedFlushAt;
  private boolean simulatedPending;

  HotCounter(CounterKey key, long score, CoalescingCounters coalescer) {
    this.key = key;
    this.score = score;
    this.batcher = new Batcher(key, coalescer);
    this.simulatedFlushAt = coalescer.ticker.nanos() - coalescer.windowNanos();
  }

  void touch() {
    touches.increment();
    if (!used) {
      used = true;
    }
  }

  /** Counts a call that was coalesced, or would have been. */
  void countCall(boolean enforced) {
    (enforced ? coalesced : wouldHaveCoalesced).increment();
  }

  /** Returns the calls since the counter became hot. */
  CoalescedCalls calls() {
    return new CoalescedCalls(coalesced.sum(), wouldHaveCoalesced.sum());
  }

  /**
   * Returns whether a call would have joined a batch that others began, had calls been coalesced.
   * It assumes an immediate answer to every batch, so with a slow backend more would be saved.
   */
  synchronized boolean wouldJoinBatch(long now, long windowNanos) {
    if (simulatedPending && now - simulatedFlushAt >= windowNanos) {
      simulatedFlushAt += windowNanos;
      simulatedPending = false;
    }
    if (simulatedPending) {
      return true;
    }
    if (now - simulatedFlushAt >= windowNanos) {
      simulatedFlushAt = now;
    } else {
      simulatedPending = true;
    }
    return false;
  }

  /** Returns whether the counter was used since the last time this was called. */
  boolean getAndClearUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /** Halves the number of calls; returns whether it was below the threshold before. */
  boolean decay(long threshold) {
    long calls = score + touches.sumThenReset();
    score = calls / 2;
    return calls < threshold;
  }
}
