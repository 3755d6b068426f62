package io.heatshield.limit.memory;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A bucket that holds the limit and drains evenly: the generic cell rate algorithm. */
final class CellRate extends Counter {
  /*
   * state   an immutable Level, null if retired; read: acquire, admit and retire: volatile CAS
   *
   * Exact in integers: one hit adds as many drops as the window has milliseconds, and limit drops
   * drain per millisecond. Algorithm.most keeps limit * windowMillis below 2^62.
   */
  private final long windowMillis;
  private final AtomicReference<@Nullable Level> state;

  CellRate(long windowMillis, long clockMillis) {
    this.windowMillis = windowMillis;
    this.state = new AtomicReference<>(new Level(clockMillis, 0));
  }

  @Override
  long add(long limit, long hits, long clockMillis, LongSupplier clock) {
    while (true) {
      Level seen = state.getAcquire();
      if (seen == null) {
        return RETIRED;
      }
      long now = clockMillis < seen.millis ? clock.getAsLong() : clockMillis;
      Level drained = drained(seen, now, limit);
      if (hits == 0 || hits > limit || drained.drops > (limit - hits) * windowMillis) {
        return held(drained) + hits;
      }
      var filled = new Level(drained.millis, drained.drops + hits * windowMillis);
      if (state.compareAndSet(seen, filled)) {
        return held(filled);
      }
    }
  }

  @Override
  long roomAt(long limit, long hits, long clockMillis) {
    Level seen = state.getAcquire();
    if (seen == null) {
      return clockMillis;
    }
    Level drained = drained(seen, clockMillis, limit);
    long excess = drained.drops - (limit - hits) * windowMillis;
    return excess <= 0 ? clockMillis : drained.millis + (excess + limit - 1) / limit;
  }

  @Override
  boolean retire(LongSupplier clock) {
    Level seen = state.getAcquire();
    return seen == null
        || (Math.abs(clock.getAsLong() - seen.millis) >= windowMillis
            && state.compareAndSet(seen, null));
  }

  private Level drained(Level level, long now, long perMillis) {
    long passed = now - level.millis;
    if (passed <= -windowMillis) {
      return new Level(now, 0); // The clock was set back; less may be a correction.
    }
    if (passed <= 0 || perMillis == 0) {
      return level;
    }
    long drops = passed > level.drops / perMillis ? 0 : level.drops - passed * perMillis;
    return new Level(now, drops);
  }

  /** Returns the hits that a bucket holds, rounded up. */
  private long held(Level level) {
    return (level.drops + windowMillis - 1) / windowMillis;
  }

  /** The content of the bucket at one time. */
  private record Level(long millis, long drops) {}
}
