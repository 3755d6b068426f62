package io.heatshield.store;

import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.ReadThrough;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.store.stats.HotKey;
import io.heatshield.store.stats.StoreStats;
import java.util.List;

/** Collects the statistics of a store from its parts. Any thread may call. */
final class StoreStatsReader {
  private final StoreContext context;
  private final StoreGuard guard;
  private final StoreMemory memory;
  private final EngineMaintenance maintenance;

  StoreStatsReader(
      StoreContext context, StoreGuard guard, StoreMemory memory, EngineMaintenance maintenance) {
    this.context = context;
    this.guard = guard;
    this.memory = memory;
    this.maintenance = maintenance;
  }

  StoreStats read() {
    StoreOptions tuned = guard.tuned();
    RingShape ring = context.options().ring();
    int topK = ring == null ? 0 : ring.topK();
    long throttled = guard.throttle().map(WriteThrottle::throttled).orElse(0L);
    long absent = guard.absent().map(AbsentKeys::answered).orElse(0L);
    long joined = guard.hotReads().map(ReadThrough::joined).orElse(0L);
    long hits = guard.hotReads().map(reads -> reads.values().hits()).orElse(0L);
    long groups = guard.groupCount();
    long grouped = guard.groupedWrites();
    return new StoreStats(
        guard
            .hotReads()
            .map(reads -> HotKey.of(reads.values().ring(), topK, tuned.hotReads().threshold()))
            .orElse(List.of()),
        guard
            .throttle()
            .map(throttle -> HotKey.of(throttle.ring(), topK, tuned.routing().threshold()))
            .orElse(List.of()),
        throttled,
        absent,
        guard.absent().map(AbsentKeys::falsePositives).orElse(0L),
        guard.absent().map(AbsentKeys::disagreements).orElse(0L),
        joined,
        hits,
        context.calls().counted(),
        absent + hits + joined + throttled + grouped - groups,
        grouped,
        groups,
        maintenance.moves(),
        maintenance.expired(),
        memory.filterBytes(),
        memory.cacheBytes(),
        memory.ringBytes(),
        memory.dataBytes(),
        context.options().maxMemory());
  }
}
