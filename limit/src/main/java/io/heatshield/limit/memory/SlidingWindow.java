package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the admitted hits of the last 60 parts of a unit, the present part included. */
final class SlidingWindow extends Counter {
  /*
   * state   an immutable Parts, null if retired; read: acquire, admit and retire: volatile CAS
   *
   * An admitted call copies 60 numbers, so that no thread waits for another. A refused call copies
   * nothing.
   */
  static final int PARTS = 60;

  private final LimitUnit unit;
  private final AtomicReference<@Nullable Parts> state;

  SlidingWindow(LimitUnit unit, long clockMillis) {
    this.unit = unit;
    this.state = new AtomicReference<>(Parts.empty(part(clockMillis)));
  }

  @Override
  long add(Limit limit, long hits, long clockMillis, LongSupplier clock) {
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
          || count > limit.requestsPerUnit()
          || state.compareAndSet(seen, from.plus(Math.max(now, from.newest), (int) hits))) {
        return count;
      }
    }
  }

  @Override
  boolean retire(LongSupplier clock) {
    Parts seen = state.getAcquire();
    return seen == null
        || (seen.isFarFrom(part(clock.getAsLong())) && state.compareAndSet(seen, null));
  }

  private long part(long clockMillis) {
    return Math.floorDiv(clockMillis * PARTS, unit.millis());
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
