package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/** Counts all hits of a window, those over the limit included; keeps at most 2^33 - 2 of them. */
final class FixedWindow extends Counter {
  /*
   * word   31 bits: window number, cut   33 bits: count   all ones: retired
   *        read: acquire   raise, turn, retire: volatile CAS
   *
   * Window and count change in one step, so no hit is counted into a window that it did not see, and
   * a retired word never changes again. The count has one bit more than a limit so that the largest
   * limit can be exceeded. Pinned by MemoryCountersStress and MemoryCountersLincheckTest.
   */
  private static final int COUNT_BITS = 33;
  private static final long MAX_COUNT = (1L << COUNT_BITS) - 2;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final long WINDOW_MASK = (1L << (64 - COUNT_BITS)) - 1;
  private static final long GONE = -1L;
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(FixedWindow.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LimitUnit unit;

  @SuppressWarnings("UnusedVariable") // Read and written through WORD.
  private long word;

  FixedWindow(LimitUnit unit, long clockMillis) {
    this.unit = unit;
    this.word = window(clockMillis) << COUNT_BITS;
  }

  @Override
  long add(Limit limit, long hits, long clockMillis, LongSupplier clock) {
    while (true) {
      long seen = (long) WORD.getAcquire(this);
      if (seen == GONE) {
        return RETIRED;
      }
      long window = window(clockMillis);
      if (seen >>> COUNT_BITS != window) {
        window = window(clock.getAsLong());
      }
      long before = seen >>> COUNT_BITS == window ? seen & COUNT_MASK : 0;
      // What is told is not cut: who coalesces takes the hits of a whole flight off it again.
      long count = before + hits;
      long kept = Math.min(count, MAX_COUNT);
      if (hits == 0 || WORD.compareAndSet(this, seen, (window << COUNT_BITS) | kept)) {
        return count;
      }
    }
  }

  @Override
  boolean retire(LongSupplier clock) {
    long seen = (long) WORD.getAcquire(this);
    return seen == GONE
        || (seen >>> COUNT_BITS != window(clock.getAsLong())
            && WORD.compareAndSet(this, seen, GONE));
  }

  private long window(long clockMillis) {
    return unit.window(clockMillis) & WINDOW_MASK;
  }
}
