package io.heatshield.limit.memory;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the admitted hits of the last 60 parts of a window, the present part included. */
final class SlidingWindow extends Counter {
  /*
   * state   an immutable Parts, null if retired; read: acquire, admit and retire: volatile CAS
   *
   * An admitted call copies 60 numbers, so that no thread waits for another. A refused call copies
   * nothing.
   */
  static final int PARTS = 60;

  private final long windowMillis;
  private final AtomicReference<@Nullable Parts> state;

  SlidingWindow(long windowMillis, long clockMillis) {
    this.windowMillis = windowMillis;
    this.state = new AtomicReference<>(Parts.empty(part(clockMillis)));
  }

  @Override
  long add(long limit, long hits, long clockMillis, LongSupplier clock) {
    while (true) {
      Parts seen = state.getAcquire();
      if (seen == null) {
        return RETIRED;
      }
      long now = part(clockMillis);
      if (now < seen.newest) {
        now = part(clock.getAsLong());
      }
      Parts from = seen.isFarFrom(now) ? Parts.empty(now) : seen;
      long count = from.sum(Math.max(now, from.newest)) + hits;
      if (hits == 0
          || count > limit
          || state.compareAndSet(seen, from.plus(Math.max(now, from.newest), (int) hits))) {
        return count;
      }
    }
  }

  @Override
  long roomAt(long limit, long hits, long clockMillis) {
    Parts seen = state.getAcquire();
    long now = part(clockMillis);
    if (seen == null || seen.isFarFrom(now)) {
      return clockMillis;
    }
    long counted = Math.max(now, seen.newest);
    long part = seen.firstPartWith(limit - hits, counted);
    return part == counted ? clockMillis : startOf(part);
  }

  @Override
  boolean retire(LongSupplier clock) {
    Parts seen = state.getAcquire();
    return seen == null
        || (seen.isFarFrom(part(clock.getAsLong())) && state.compareAndSet(seen, null));
  }

  private long part(long clockMillis) {
    return Math.floorDiv(clockMillis * PARTS, windowMillis);
  }

  /** Returns the first millisecond of a part. */
  private long startOf(long part) {
    return -Math.floorDiv(-part * windowMillis, PARTS);
  }

  /** The hits of each of 60 parts, part n at index n modulo 60. */
  private static final class Parts {
    private final long newest;
    private final int[] hits;

    private Parts(long newest, int[] hits) {
      this.newest = newest;
      this.hits = hits;
    }

    static Parts empty(long part) {
      return new Parts(part, new int[PARTS]);
    }

    /**
     * Returns whether a part is so far after the newest one that no hits count any more, or so far
     * before it that the clock must have been set back; less may be a correction.
     */
    boolean isFarFrom(long part) {
      return Math.abs(part - newest) >= PARTS;
    }

    /** Returns the hits that count at a part, which is not before the newest. */
    long sum(long part) {
      long sum = 0;
      for (long i = part - PARTS + 1; i <= newest; i++) {
        sum += Integer.toUnsignedLong(hits[at(i)]);
      }
      return sum;
    }

    /** Returns the first part from the given one on at which at most {@code most} hits count. */
    long firstPartWith(long most, long part) {
      long first = part;
      for (long left = sum(part); left > most; first++) {
        left -= Integer.toUnsignedLong(hits[at(first - PARTS + 1)]);
      }
      return first;
    }

    /** Returns a copy with more hits in a part, which is not before the newest. */
    Parts plus(long part, int more) {
      int[] next = hits.clone();
      for (long i = newest + 1; i <= part; i++) {
        next[at(i)] = 0;
      }
      next[at(part)] += more;
      return new Parts(part, next);
    }

    private static int at(long part) {
      return (int) Math.floorMod(part, (long) PARTS);
    }
  }
}
