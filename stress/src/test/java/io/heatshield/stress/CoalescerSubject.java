package io.heatshield.stress;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.coalesce.BatchListener;
import io.heatshield.limit.coalesce.CallerLoop;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The coalescer under test, or with {@code -P broken} a naive one. */
interface CoalescerSubject {

  /** Adds hits to the only counter and waits for the count. */
  long add(long hits);

  static CoalescerSubject create() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real(false);
  }

  /** Returns a subject whose callers are event loops. */
  static CoalescerSubject createOnLoops() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real(true);
  }

  /**
   * The coalescer in front of counters. A thread that waits for an answer also completes pending
   * calls and runs the tasks of event loops.
   */
  final class Real implements CoalescerSubject, CounterBackend, CallerLoop {
    private static final Limit LIMIT = new Limit(100, LimitUnit.DAY, Algorithm.FIXED_WINDOW);
    private static final CounterKey KEY =
        CounterKey.of("d", List.of(new DescriptorEntry("k", "")), LIMIT);
    private static final CoalesceSettings SETTINGS =
        new CoalesceSettings(1024, 2, 1, 2, Duration.ZERO, 100, Duration.ofDays(1));

    private final Queue<Sent> out = new ConcurrentLinkedQueue<>();
    private final AtomicLong stored = new AtomicLong();
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final CoalescingCounters coalescer;

    Real(boolean onLoops) {
      coalescer =
          new CoalescingCounters(
              this,
              new Savings().action("coalesce", "limits", Mode.ENFORCE),
              SETTINGS,
              BatchListener.NONE,
              () -> 0,
              () -> onLoops ? this : null);
    }

    @Override
    public long add(long hits) {
      var sink = new ResultSink();
      coalescer.add(KEY, LIMIT, hits, 0, sink, 0);
      while (sink.count < 0) {
        Runnable next = asked.poll();
        if (next != null) {
          next.run();
        }
        Sent first = out.poll();
        if (first != null) {
          first.sink.counted(first.slot, stored.addAndGet(first.hits));
        }
      }
      return sink.count;
    }

    @Override
    public void add(
        CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
      out.add(new Sent(hits, sink, slot));
    }

    @Override
    public boolean runAtTurnEnd(Runnable work) {
      return asked.add(work);
    }

    @Override
    public boolean runAfter(long nanos, Runnable work) {
      return asked.add(work);
    }

    @Override
    public void runOnLoop(Runnable work) {
      asked.add(work);
    }

    private record Sent(long hits, CounterSink sink, int slot) {}

    private static final class ResultSink implements CounterSink {
      private volatile long count = -1;

      @Override
      public void counted(int slot, long value) {
        count = value;
      }

      @Override
      public void failed(int slot, BackendUnavailableException reason) {
        throw reason;
      }
    }
  }

  /** Reads the count and then adds: another call may interleave. */
  final class Naive implements CoalescerSubject {
    private volatile long stored;

    @Override
    public long add(long hits) {
      long count = held(stored) + hits;
      stored = count;
      return count;
    }

    /** Separates the two steps, see {@link CountersSubject}. */
    private static long held(long count) {
      long state = count;
      for (int i = 0; i < 100; i++) {
        state = state * 31 + i;
      }
      return state == Long.MIN_VALUE ? count + 1 : count;
    }
  }
}
