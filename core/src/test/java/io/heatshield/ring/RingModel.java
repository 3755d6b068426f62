package io.heatshield.ring;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A simple implementation of the ring's contract, which advances one millisecond at a time. */
final class RingModel {
  private final HotRingPropertyTest.Setup setup;
  private final Map<String, TreeMap<Long, Long>> bySlot = new HashMap<>();
  private final Map<String, Long> active = new HashMap<>();
  private Map<String, Long> warm = new HashMap<>();
  private long now;
  private long touches;

  RingModel(HotRingPropertyTest.Setup setup) {
    this.setup = setup;
  }

  void advance(int millis) {
    for (int i = 0; i < millis; i++) {
      now++;
      if (setup.decayMillis() > 0 && now % setup.decayMillis() == 0) {
        active.replaceAll((key, count) -> count >> setup.shift());
        warm.replaceAll((key, count) -> count >> setup.shift());
      }
      if (setup.rotationMillis() > 0 && now % setup.rotationMillis() == 0) {
        warm = new HashMap<>(active);
        active.clear();
      }
    }
  }

  long touch(String key) {
    touches++;
    if (hasWindow()) {
      bySlot.computeIfAbsent(key, k -> new TreeMap<>()).merge(slot(), 1L, Long::sum);
    } else {
      active.merge(key, 1L, Long::sum);
    }
    return count(key);
  }

  long count(String key) {
    return hasWindow()
        ? windowed(key)
        : Math.max(active.getOrDefault(key, 0L), warm.getOrDefault(key, 0L));
  }

  long remove(String key) {
    long count = count(key);
    bySlot.remove(key);
    active.remove(key);
    warm.remove(key);
    return count;
  }

  /** Returns the keys whose count, the sum of both generations, is at least a threshold. */
  Map<String, Long> above(long threshold) {
    var counts = new HashMap<String, Long>();
    if (hasWindow()) {
      bySlot.keySet().forEach(key -> counts.put(key, windowed(key)));
    } else {
      active.forEach((key, count) -> counts.merge(key, count, Long::sum));
      warm.forEach((key, count) -> counts.merge(key, count, Long::sum));
    }
    counts.values().removeIf(count -> count < threshold);
    return counts;
  }

  long touches() {
    return touches;
  }

  private boolean hasWindow() {
    return setup.slots() > 0;
  }

  private long slot() {
    return now / setup.slotMillis();
  }

  private long windowed(String key) {
    return bySlot
        .getOrDefault(key, new TreeMap<>())
        .tailMap(slot() - setup.slots() + 1)
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
