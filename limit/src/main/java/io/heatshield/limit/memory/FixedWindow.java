package io.heatshield.limit.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/** Counts the hits of a window up to 2^33 - 2, with or without those over the limit. */
final class FixedWindow extends Counter {
  /*
   * word       31 bits: window number, cut   33 bits: count   all ones: retired
   *            read: acquire   raise, turn, retire: volatile CAS
   * previous   the word of the window that was counted before, -1 if there was none
   *            read: acquire   write: release, after the CAS that turned the word
   *
   * Window and count change in one step, so no hit is added to another window than the one read,
   * and a retired word never changes again. The count has one bit more than a limit so that the
   * largest limit can be exceeded. Pinned by MemoryCountersStress and MemoryCountersLincheckTest.
   *
   * The previous word is used only if the clock returns to its window: both windows then continue
   * their counts, however often the clock crosses between them. While the clock moves forward,
   * nothing depends on it. Pinned by MemoryCountersTest.
   */
  private static final int COUNT_BITS = 33;
  private static final long MAX_COUNT = (1L << COUNT_BITS) - 2;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final long WINDOW_MASK = (1L << (64 - COUNT_BITS)) - 1;
  private static final long GONE = -1L;
  private static final long NONE = -1L;
  private static final VarHandle WORD;
  private static final VarHandle PREVIOUS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(FixedWindow.class, "word", long.class);
      PREVIOUS = lookup.findVarHandle(FixedWindow.class, "previous", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long windowMillis;
  private final boolean countsRefused;

  @SuppressWarnings("UnusedVariable") // Read and written through WORD.
  private long word;

  @SuppressWarnings("UnusedVariable") // Read and written through PREVIOUS.
  private long previous = NONE;

  /**
   * Creates a counter without a hit.
   *
   * @param countsRefused whether hits over the limit are counted, too
   */
  FixedWindow(long windowMillis, long clockMillis, boolean countsRefused) {
    this.windowMillis = windowMillis;
    this.countsRefused = countsRefused;
    this.word = window(clockMillis) << COUNT_BITS;
  }

  @Override
  long add(long limit, long hits, long clockMillis, LongSupplier clock) {
    while (true) {
      long seen = (long) WORD.getAcquire(this);
      if (seen == GONE) {
        return RETIRED;
      }
      long window = window(clockMillis);
      if (seen >>> COUNT_BITS != window) {
        window = window(clock.getAsLong());
      }
      boolean turns = seen >>> COUNT_BITS != window;
      long before = turns ? countBefore(window) : seen & COUNT_MASK;
      // Not capped: the coalescer subtracts the hits of a whole batch from the returned count.
      long count = before + hits;
      long kept = Math.min(count, MAX_COUNT);
      if (hits == 0 || (count > limit && !countsRefused)) {
        return count;
      }
      if (WORD.compareAndSet(this, seen, (window << COUNT_BITS) | kept)) {
        if (turns) {
          PREVIOUS.setRelease(this, seen);
        }
        return count;
      }
    }
  }

  /** Returns the count of a window that is not the present one: 0 unless the clock returned. */
  private long countBefore(long window) {
    long last = (long) PREVIOUS.getAcquire(this);
    return last != NONE && last >>> COUNT_BITS == window ? last & COUNT_MASK : 0;
  }

  @Override
  long roomAt(long limit, long hits, long clockMillis) {
    long seen = (long) WORD.getAcquire(this);
    boolean full =
        seen != GONE
            && seen >>> COUNT_BITS == window(clockMillis)
            && (seen & COUNT_MASK) > limit - hits;
    return full ? (Math.floorDiv(clockMillis, windowMillis) + 1) * windowMillis : clockMillis;
  }

  @Override
  boolean retire(LongSupplier clock) {
    long seen = (long) WORD.getAcquire(this);
    return seen == GONE
        || (seen >>> COUNT_BITS != window(clock.getAsLong())
            && WORD.compareAndSet(this, seen, GONE));
  }

  private long window(long clockMillis) {
    return Math.floorDiv(clockMillis, windowMillis) & WINDOW_MASK;
  }
}
