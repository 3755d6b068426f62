package io.heatshield.data.command.hot;

import io.heatshield.insight.explain.KeyUses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The callers with the most uses of one key, by Space-Saving over a sample.
 *
 * <p>Any thread may call.
 */
final class TopCallers {
  /*
   * A caller may have many connections. The first one seen is its witness: all its uses of any key,
   * between its first and its last sampled use of this key, are known.
   */
  private static final class Entry {
    private String label = "";
    private long count;
    private long keys;
    private long witness;
    private long witnessed;
    private long firstUses;
    private long lastUses;
  }

  private final int capacity;
  private final List<Entry> entries = new ArrayList<>();
  private long sampled;

  TopCallers(int capacity) {
    this.capacity = capacity;
  }

  /** Counts a sampled use that stands for several. */
  synchronized void count(Caller caller, int uses) {
    sampled += uses;
    Entry entry = entry(caller);
    entry.count += uses;
    entry.keys = Math.max(entry.keys, caller.keys().estimate());
    if (entry.witness == caller.id()) {
      entry.witnessed += uses;
      entry.lastUses = caller.keys().uses();
    }
  }

  /** Returns the entry of a caller, which may replace the one with the fewest uses. */
  private Entry entry(Caller caller) {
    for (Entry entry : entries) {
      if (entry.label.equals(caller.label())) {
        return entry;
      }
    }
    var entry = new Entry();
    if (entries.size() == capacity) {
      Entry least = entries.stream().min(Comparator.comparingLong(one -> one.count)).orElseThrow();
      entries.remove(least);
      entry.count = least.count;
    }
    entry.label = caller.label();
    entry.witness = caller.id();
    entry.firstUses = caller.keys().uses();
    entries.add(entry);
    return entry;
  }

  /**
   * Returns the uses by each caller, as name and host, largest first.
   *
   * @param uses the uses by all callers, which no caller exceeds
   */
  synchronized Map<String, Long> largest(long uses) {
    var largest = new LinkedHashMap<String, Long>();
    entries.stream()
        .sorted(Comparator.comparingLong((Entry entry) -> entry.count).reversed())
        .forEach(entry -> largest.put(entry.label, Math.min(entry.count, uses)));
    return largest;
  }

  /** Returns the caller with the most uses, or null if there is none. */
  synchronized KeyUses.@Nullable Caller busiest() {
    Entry most = entries.stream().max(Comparator.comparingLong(entry -> entry.count)).orElse(null);
    if (most == null) {
      return null;
    }
    long all = most.lastUses - most.firstUses;
    double own = all <= 0 ? 1 : Math.min(1, (double) most.witnessed / all);
    double share = Math.min(1, (double) most.count / sampled);
    return new KeyUses.Caller(most.label, share, most.keys, own);
  }
}
