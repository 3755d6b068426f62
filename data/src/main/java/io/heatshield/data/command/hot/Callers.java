package io.heatshield.data.command.hot;

import io.heatshield.insight.explain.KeyUses;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The callers with the most uses of one key, by Space-Saving over a sample, and what each of them
 * does besides.
 *
 * <p>Any thread may call.
 */
final class Callers {
  /*
   * A caller may have many connections. The first that is seen is its witness: of that one it is known how many uses of
   * any key it made between its first and its last sampled use of this key.
   */
  private final String[] labels;
  private final long[] counts;
  private final long[] keys;
  private final long[] witness;
  private final long[] witnessed;
  private final long[] firstUses;
  private final long[] lastUses;
  private long sampled;

  Callers(int places) {
    labels = new String[places];
    counts = new long[places];
    keys = new long[places];
    witness = new long[places];
    witnessed = new long[places];
    firstUses = new long[places];
    lastUses = new long[places];
  }

  /** Puts down a sampled use that stands for several. */
  synchronized void count(Caller caller, int uses) {
    sampled += uses;
    int place = 0;
    for (int i = 0; i < counts.length; i++) {
      if (caller.label().equals(labels[i])) {
        place = i;
        break;
      }
      place = counts[i] < counts[place] ? i : place;
    }
    if (!caller.label().equals(labels[place])) {
      labels[place] = caller.label();
      keys[place] = 0;
      witness[place] = caller.id();
      witnessed[place] = 0;
      firstUses[place] = caller.spread().uses();
    }
    counts[place] += uses;
    keys[place] = Math.max(keys[place], caller.spread().keys());
    if (witness[place] == caller.id()) {
      witnessed[place] += uses;
      lastUses[place] = caller.spread().uses();
    }
  }

  /**
   * Returns the uses by each caller, as name and host, largest first, none with more than all have.
   *
   * @param uses of the key by all callers
   */
  synchronized Map<String, Long> largest(long uses) {
    var largest = new LinkedHashMap<String, Long>();
    IntStream.range(0, counts.length)
        .filter(i -> counts[i] > 0)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> counts[i]).reversed())
        .forEach(i -> largest.put(labels[i], Math.min(counts[i], uses)));
    return largest;
  }

  /** Returns what the caller with the most uses does, or null if none was put down. */
  synchronized KeyUses.@Nullable Caller busiest() {
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    if (counts[most] == 0) {
      return null;
    }
    long all = lastUses[most] - firstUses[most];
    double own = all <= 0 ? 1 : Math.min(1, (double) witnessed[most] / all);
    double share = Math.min(1, (double) counts[most] / sampled);
    return new KeyUses.Caller(labels[most], share, keys[most], own);
  }
}
