package io.heatshield.data.store;

import io.heatshield.config.settings.CuckooFilterSettings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.filter.Growth;
import io.heatshield.filter.OverBudget;
import io.heatshield.store.RingShape;
import io.heatshield.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Converts the settings of a store to options. */
final class StoreOptionsMapper {
  private StoreOptionsMapper() {}

  /**
   * Returns the options.
   *
   * @param memory the maximum memory of the guard, in bytes
   * @param snapshot the file of the filter while the server is down, or null
   */
  static StoreOptions settings(StoreSettings from, long memory, @Nullable Path snapshot) {
    return new StoreOptions(
        from.name(),
        memory,
        from.writers() == Writers.SHARED,
        from.hotRing().enabled() ? ring(from.hotRing()) : null,
        new StoreOptions.WriteLimit(
            from.writeLimit().mode(),
            from.writeLimit().perWindow(),
            from.writeLimit().burstThreshold(),
            from.writeLimit().batchMultiplier()),
        new StoreOptions.HotReads(
            from.hotReads().mode(),
            from.hotReads().threshold(),
            from.hotReads().cooldown(),
            from.hotReads().maxStale()),
        new StoreOptions.Routing(
            from.routing().mode(),
            from.routing().threshold(),
            from.routing().hotBuckets(),
            from.routing().ring().override() ? ring(from.routing().ring()) : null),
        from.cuckooFilter().enabled() ? filter(from.cuckooFilter(), snapshot) : null);
  }

  private static RingShape ring(StoreSettings.HotRing from) {
    return new RingShape(
        from.bits(),
        from.topK(),
        from.windowSlots(),
        from.slot(),
        from.rotation(),
        from.nodeCap(),
        from.sampleBits(),
        from.decayInterval(),
        from.decayShift());
  }

  private static RingShape ring(StoreSettings.RoutingRing from) {
    return new RingShape(
        from.bits(),
        RingShape.routing().topK(),
        from.windowSlots(),
        from.slot(),
        from.rotation(),
        from.nodeCap(),
        0,
        Duration.ZERO,
        0);
  }

  private static StoreOptions.Filter filter(CuckooFilterSettings from, @Nullable Path snapshot) {
    return new StoreOptions.Filter(
        from.mode(),
        from.expectedItems(),
        from.falsePositiveRate(),
        from.memoryBudgetPercent(),
        from.onOverBudget() == CuckooFilterSettings.OnOverBudget.DEGRADE
            ? OverBudget.DEGRADE
            : OverBudget.REFUSE,
        switch (from.grow()) {
          case REBUILD -> Growth.REBUILD;
          case CHAIN -> Growth.CHAIN;
          case REFUSE -> Growth.REFUSE;
        },
        from.fingerprintBits().bits(),
        from.bucketSize(),
        from.maxEvictions(),
        snapshot);
  }
}
