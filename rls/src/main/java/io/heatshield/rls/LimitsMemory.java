package io.heatshield.rls;

import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.limit.coalesce.CoalescingCounters;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.runtime.memory.MemoryPart;
import java.util.ArrayList;
import java.util.List;

/** Computes the memory of rate limits from their settings. */
public final class LimitsMemory {
  static final String COUNTERS = "counters";

  private static final String OWNER = "limits";

  /** The length of a counter's key for which limits are planned, in bytes. */
  private static final int KEY_BYTES = 64;

  private LimitsMemory() {}

  /** Returns the parts, given the maximum number of counters in memory. */
  public static List<MemoryPart> parts(LimitsSettings settings, long maxCounters) {
    var parts = new ArrayList<MemoryPart>();
    parts.add(MemoryPart.heap(OWNER, COUNTERS, counterBytes(maxCounters), "limits.max_counters"));
    if (settings.localCache().bytes() > 0) {
      parts.add(
          MemoryPart.heap(
              OWNER, "keys over limit", settings.localCache().bytes(), "limits.local_cache"));
    }
    if (settings.backend() == LimitsSettings.Backend.REDIS) {
      LimitsSettings.HotKeys hot = settings.hotKeys();
      parts.add(
          MemoryPart.heap(
              OWNER, "sketch", hot.sketchMemory().bytes(), "limits.hot_keys.sketch_memory"));
      parts.add(
          MemoryPart.heap(
              OWNER,
              "hot counters",
              (long) hot.maxKeys() * CoalescingCounters.HOT_COUNTER_BYTES,
              "limits.hot_keys.max_keys"));
    }
    return parts;
  }

  /** Returns the bytes of a number of counters. */
  static long counterBytes(long counters) {
    return counters * (MemoryCounters.COUNTER_BYTES + KEY_BYTES);
  }
}
