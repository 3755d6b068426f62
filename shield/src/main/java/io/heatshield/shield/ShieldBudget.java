package io.heatshield.shield;

import io.heatshield.ring.HotRing;
import io.heatshield.ring.HotRingBuilder;
import io.heatshield.runtime.memory.MemoryPart;
import java.time.Duration;
import java.util.List;

/**
 * The shares of the shield's maximum memory, in bytes.
 *
 * @param cache the most bytes of hot values
 * @param filter the most bytes of the filter, while it is filled again, too
 * @param ringEntries the most bytes of the entries of each of the two rings
 */
public record ShieldBudget(long cache, long filter, long ringEntries) {
  /** The window of both rings. */
  static final Duration WINDOW = Duration.ofSeconds(2);

  private static final String OWNER = "shield";
  private static final String SETTING = "shield.max_memory";
  private static final int PANES = 8;
  private static final int RING_PERCENT = 10;
  private static final int FILTER_PERCENT = 10;
  private static final int CACHE_PERCENT = 70;
  private static final int MAX_RING_KEYS = 250_000;

  /** Returns the shares of a maximum memory in bytes. */
  public static ShieldBudget of(long maxMemory) {
    long percent = maxMemory / 100;
    return new ShieldBudget(
        percent * CACHE_PERCENT, percent * FILTER_PERCENT, percent * RING_PERCENT);
  }

  /** Returns the parts of the shield. */
  public List<MemoryPart> parts() {
    return List.of(
        MemoryPart.heap(OWNER, "hot values", cache, SETTING),
        MemoryPart.heap(OWNER, "filter", filter, SETTING),
        MemoryPart.heap(OWNER, "rings", 2 * ring().bytes(), SETTING));
  }

  /** Returns a builder of one of the rings, without ticker and secret. */
  HotRingBuilder ring() {
    return HotRing.builder()
        .bits(12)
        .window(PANES, WINDOW.dividedBy(PANES))
        .rotation(Duration.ofMinutes(30))
        .maxKeys(MAX_RING_KEYS)
        .maxBytes(ringEntries);
  }
}
