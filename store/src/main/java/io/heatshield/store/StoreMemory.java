package io.heatshield.store;

import io.heatshield.filter.ShrinkResult;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.WriteRouter;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.SpaceUse;
import io.heatshield.store.stats.MemoryPressure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures the memory of one store, and reduces it when it approaches the maximum.
 *
 * <p>Any thread may read the sizes; {@link #check} is called by the maintenance thread.
 */
final class StoreMemory {
  private static final Logger log = System.getLogger(StoreMemory.class.getName());

  private final String store;
  private final Optional<SpaceUse> data;
  private final StoreGuard guard;
  private final Consumer<MemoryPressure> listener;
  private final long fullCache;
  private final Levels levels;

  StoreMemory(StoreContext context, StoreGuard guard, Consumer<MemoryPressure> listener) {
    this.store = context.name();
    this.data =
        context.engine().location() == Engine.Location.MEMORY
            ? context.engine().capability(SpaceUse.class)
            : Optional.empty();
    this.guard = guard;
    this.listener = listener;
    this.fullCache = guard.hotReads().map(reads -> reads.values().maxBytes()).orElse(0L);
    this.levels = new Levels(context.options().maxMemory(), this::bytes, this::onPressure);
  }

  /** Reduces the memory for each level that was exceeded since the last check. */
  void check() {
    levels.check();
  }

  long filterBytes() {
    return guard.absent().map(keys -> keys.filter().bytes()).orElse(0L);
  }

  long cacheBytes() {
    return guard.hotReads().map(reads -> reads.values().bytes()).orElse(0L);
  }

  long ringBytes() {
    return guard.hotReads().map(reads -> reads.values().ring().bytes()).orElse(0L)
        + guard.throttle().map(throttle -> throttle.ring().bytes()).orElse(0L)
        + guard.router().map(WriteRouter::bytes).orElse(0L);
  }

  long dataBytes() {
    return data.map(SpaceUse::bytes).orElse(0L);
  }

  private long bytes() {
    return filterBytes() + cacheBytes() + ringBytes() + dataBytes();
  }

  /** At 90 % the filter loses precision; at 95 % the cache is resized to the room that is left. */
  private void onPressure(MemoryPressure pressure) {
    log.log(
        Level.WARNING,
        () ->
            String.format(
                Locale.ROOT,
                "store %s uses %d of %d bytes: past %d %%",
                store,
                pressure.usedBytes(),
                pressure.maxBytes(),
                pressure.percent()));
    if (pressure.percent() == 90) {
      guard.absent().ifPresent(this::reducePrecision);
    }
    if (pressure.percent() == 95) {
      long others = filterBytes() + ringBytes() + dataBytes();
      long most = pressure.maxBytes() / 100 * 90 - others;
      long bytes = Math.max(fullCache / 4, Math.min(fullCache, most));
      guard.hotReads().ifPresent(reads -> reads.values().maxBytes(bytes));
    }
    try {
      listener.accept(pressure);
    } catch (RuntimeException e) {
      log.log(Level.WARNING, "memory listener of store " + store + " threw: " + e);
    }
  }

  private void reducePrecision(AbsentKeys keys) {
    ShrinkResult shrink = keys.reducePrecision();
    log.log(
        Level.WARNING,
        () ->
            String.format(
                Locale.ROOT,
                "filter of store %s reduced from %d to %d bytes: false positive rate %s instead of %s",
                store,
                shrink.bytesBefore(),
                shrink.bytesAfter(),
                shrink.rateAfter(),
                shrink.rateBefore()));
  }

  /** Detects when the used memory exceeds a level. */
  static final class Levels {
    private static final int[] PERCENTS = {80, 90, 95};

    private final long max;
    private final LongSupplier used;
    private final Consumer<MemoryPressure> listener;
    private int level;

    Levels(long max, LongSupplier used, Consumer<MemoryPressure> listener) {
      this.max = max;
      this.used = used;
      this.listener = listener;
    }

    /** Reports each level that was exceeded since the last check. */
    void check() {
      int now = level();
      for (int step : PERCENTS) {
        if (step > level && step <= now) {
          listener.accept(new MemoryPressure(step, used.getAsLong(), max));
          now = Math.max(step, Math.min(now, level()));
        }
      }
      level = level();
    }

    private int level() {
      long bytes = used.getAsLong();
      int reached = 0;
      for (int step : PERCENTS) {
        if (bytes >= max / 100.0 * step) {
          reached = step;
        }
      }
      return reached;
    }
  }
}
