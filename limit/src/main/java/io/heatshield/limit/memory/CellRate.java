package io.heatshield.limit.memory;

import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A bucket that holds the limit and drains evenly: the generic cell rate algorithm. */
final class CellRate extends Counter {
  /*
   * state   an immutable Level, null if retired; read: acquire, admit and retire: volatile CAS
   *
   * Exact in integers: one hit adds unit.millis() drops, and limit drops drain per millisecond.
   * Limit.most keeps limit * unit.millis() below 2^62.
   */
  private final LimitUnit unit;
  private final AtomicReference<@Nullable Level> state;

  CellRate(LimitUnit unit, long clockMillis) {
    this.unit = unit;
    this.state = new AtomicReference<>(new Level(clockMillis, 0));
  }

  @Override
  long add(Limit limit, long hits, long clockMillis, LongSupplier clock) {
    long most = limit.requestsPerUnit();
    long perHit = unit.millis();
    while (true) {
      Level seen = state.getAcquire();
      if (seen == null) {
        return RETIRED;
      }
      long now = clockMillis < seen.millis ? clock.getAsLong() : clockMillis;
      Level drained = drained(seen, now, most);
      if (hits == 0 || hits > most || drained.drops > (most - hits) * perHit) {
        return held(drained) + hits;
      }
      var filled = new Level(drained.millis, drained.drops + hits * perHit);
      if (state.compareAndSet(seen, filled)) {
        return held(filled);
      }
    }
  }

  @Override
  boolean retire(LongSupplier clock) {
    Level seen = state.getAcquire();
    return seen == null
        || (Math.abs(clock.getAsLong() - seen.millis) >= unit.millis()
            && state.compareAndSet(seen, null));
  }

  private Level drained(Level level, long now, long perMillis) {
    long passed = now - level.millis;
    if (passed <= -unit.millis()) {
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
    return (level.drops + unit.millis() - 1) / unit.millis();
  }

  /** The content of the bucket at one time. */
  private record Level(long millis, long drops) {}
}
