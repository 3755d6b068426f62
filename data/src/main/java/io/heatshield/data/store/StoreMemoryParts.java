package io.heatshield.data.store;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.store.StoreBudget;
import io.heatshield.store.stats.StoreStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Computes the memory of a store from its settings. */
public final class StoreMemoryParts {
  private static final String DATA = "data";
  private static final String FILTER = "filter";
  private static final String CACHE = "hot values";
  private static final String RINGS = "rings";

  private StoreMemoryParts() {}

  /** Returns the parts of a store, given its maximum memory in bytes. */
  public static List<MemoryPart> parts(StoreSettings settings, long memory) {
    EngineBudget engine = EngineBudget.of(settings.engine(), memory);
    StoreBudget guard = StoreBudget.of(StoreOptionsMapper.settings(settings, engine.guard(), null));
    String owner = "store " + settings.name();
    String path = "stores[" + settings.name() + "].";
    String most = path + "max_memory";
    var parts = new ArrayList<MemoryPart>();
    if (settings.engine() == StoreSettings.Engine.MEMORY) {
      parts.add(MemoryPart.heap(owner, DATA, engine.data(), most));
    }
    if (settings.engine() == StoreSettings.Engine.ROCKSDB) {
      long writes = EngineBudget.WRITE_BUFFERS * engine.writeBuffer();
      parts.add(MemoryPart.outside(owner, "blocks of files", engine.blocks(), most));
      parts.add(MemoryPart.outside(owner, "write buffers", writes, most));
      parts.add(MemoryPart.heap(owner, "structures", engine.structures(), most));
    }
    if (settings.cuckooFilter().enabled()) {
      parts.add(
          MemoryPart.heap(
              owner, FILTER, guard.filter(), path + "cuckoo_filter.memory_budget_percent"));
    }
    if (settings.hotRing().enabled() && settings.engine() != StoreSettings.Engine.MEMORY) {
      parts.add(MemoryPart.heap(owner, CACHE, guard.cache(), most));
    }
    long rings = rings(settings, guard);
    if (rings > 0) {
      parts.add(MemoryPart.heap(owner, RINGS, rings, path + "hot_ring.node_cap"));
    }
    if (routes(settings)) {
      parts.add(
          MemoryPart.heap(owner, "hot keys stored separately", RocksEngine.MAX_HOT_KEY_BYTES, ""));
    }
    return parts;
  }

  /** Returns the bytes that the parts of a store take now, by the names of the parts. */
  public static Map<String, Long> used(StoreStats stats) {
    var used = new LinkedHashMap<String, Long>();
    used.put(DATA, stats.dataBytes());
    used.put(FILTER, stats.filterBytes());
    used.put(CACHE, stats.cacheBytes());
    used.put(RINGS, stats.ringBytes());
    return used;
  }

  private static long rings(StoreSettings settings, StoreBudget guard) {
    long rings = guard.writeRing();
    if (settings.engine() != StoreSettings.Engine.MEMORY) {
      rings += guard.readRing();
    }
    if (settings.engine() == StoreSettings.Engine.ROCKSDB) {
      rings += guard.routingRing();
    }
    return rings;
  }

  private static boolean routes(StoreSettings settings) {
    return settings.engine() == StoreSettings.Engine.ROCKSDB
        && settings.routing().mode() == Mode.ENFORCE;
  }
}
