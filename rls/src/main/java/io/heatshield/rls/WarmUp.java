package io.heatshield.rls;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads unused counters before the servers start, so that the JVM has compiled the path of the
 * first real calls: in a cold JVM a burst takes longer than the time budget.
 */
final class WarmUp {
  private static final int ROUNDS = 60;
  private static final int READS = 50;
  private static final int KEYS = 10;
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final CoalesceSettings ALL_HOT =
      new CoalesceSettings(
          1 << 10, 2, 1, KEYS, Duration.ofNanos(300_000), READS, Duration.ofSeconds(10));
  private static final Limit LIMIT = new Limit(1, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);

  private WarmUp() {}

  /** Runs for about half a second, first without and then with a coalescer; ignores failures. */
  static void run(CounterBackend counters) {
    readFrom(counters);
    var action = new Savings().action("coalesce", "warm-up", Mode.ENFORCE);
    try (var coalescer =
        new CoalescingCounters(
            counters, action, ALL_HOT, BatchListener.NONE, Ticker.system(), () -> null)) {
      coalescer.start();
      readFrom(coalescer);
    }
  }

  private static void readFrom(CounterBackend counters) {
    long start = System.nanoTime();
    for (int round = 0; round < ROUNDS && System.nanoTime() - start < MAX_NANOS; round++) {
      if (!read(counters, Math.min(READS, 1 + round))) {
        return;
      }
    }
  }

  private static boolean read(CounterBackend counters, int reads) {
    var latch = new CountDownLatch(reads);
    for (int i = 0; i < reads; i++) {
      CounterKey key =
          CounterKey.of("", List.of(new DescriptorEntry("warm-up", "" + (i % KEYS))), LIMIT);
      counters.add(key, LIMIT, 0, System.currentTimeMillis(), new LatchSink(latch), i);
    }
    try {
      return latch.await(MAX_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private record LatchSink(CountDownLatch latch) implements CounterSink {
    @Override
    public void counted(int slot, long count) {
      latch.countDown();
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      latch.countDown();
    }
  }
}
