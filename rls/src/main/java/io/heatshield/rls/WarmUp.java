package io.heatshield.rls;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
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
import io.heatshield.limit.counter.CounterKeys;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks at counters that nobody has before the doors open, so that the first real calls do not meet
 * code that was never run: in a cold JVM a burst takes longer than the time budget.
 */
final class WarmUp {
  private static final int ROUNDS = 60;
  private static final int LOOKS = 50;
  private static final int KEYS = 10;
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final CoalesceSettings ALL_HOT =
      new CoalesceSettings(
          1 << 10, 2, 1, KEYS, Duration.ofNanos(300_000), LOOKS, Duration.ofSeconds(10));
  private static final Limit LIMIT = new Limit(1, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);

  private WarmUp() {}

  /**
   * Looks for about half a second at most, first without and then with a coalescer; what fails is
   * of no account.
   */
  static void run(CounterBackend counters) {
    lookAt(counters);
    var action = new Savings().action("coalesce", "warm-up", Mode.ENFORCE);
    try (var coalescer =
        new CoalescingCounters(
            counters, action, ALL_HOT, BatchListener.NONE, Ticker.system(), () -> null)) {
      coalescer.start();
      lookAt(coalescer);
    }
  }

  private static void lookAt(CounterBackend counters) {
    var keys = new CounterKeys(KeyHash.fast(HashSecret.random()));
    long start = System.nanoTime();
    for (int round = 0; round < ROUNDS && System.nanoTime() - start < MOST_NANOS; round++) {
      if (!look(counters, keys, Math.min(LOOKS, 1 + round))) {
        return;
      }
    }
  }

  private static boolean look(CounterBackend counters, CounterKeys keys, int looks) {
    var told = new CountDownLatch(looks);
    for (int i = 0; i < looks; i++) {
      CounterKey key =
          keys.key(
              "",
              List.of(new DescriptorEntry("warm-up", "" + (i % KEYS))),
              LIMIT.unit(),
              LIMIT.algorithm());
      counters.add(key, LIMIT, 0, System.currentTimeMillis(), new Told(told), i);
    }
    try {
      return told.await(MOST_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private record Told(CountDownLatch latch) implements CounterSink {
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
