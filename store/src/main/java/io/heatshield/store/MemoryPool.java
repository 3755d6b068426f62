package io.heatshield.store;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The memory of one store: what its parts take together, and who is told when that comes close to
 * the most.
 *
 * <p>Used by one thread, that of the store's upkeep.
 */
final class MemoryPool {
  private static final int[] LEVELS = {80, 90, 95};

  private final long max;
  private final LongSupplier used;
  private final Consumer<MemoryPressure> told;
  private int level;

  MemoryPool(long max, LongSupplier used, Consumer<MemoryPressure> told) {
    this.max = max;
    this.used = used;
    this.told = told;
  }

  /** Tells each level that was passed upwards since the last look. */
  void look() {
    int now = level();
    for (int step : LEVELS) {
      if (step > level && step <= now) {
        told.accept(new MemoryPressure(step, used.getAsLong(), max));
        now = Math.max(step, Math.min(now, level()));
      }
    }
    level = level();
  }

  private int level() {
    long bytes = used.getAsLong();
    int reached = 0;
    for (int step : LEVELS) {
      if (bytes >= max / 100.0 * step) {
        reached = step;
      }
    }
    return reached;
  }
}
