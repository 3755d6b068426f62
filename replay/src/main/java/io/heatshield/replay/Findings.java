package io.heatshield.replay;

import io.heatshield.detect.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which keys were hot in truth and which the detector held for hot, each with the first time.
 *
 * <p>Memory is a byte for each key and about 60 for each that is noted.
 */
final class Findings {
  private static final byte DUE = 1;
  private static final byte REPORTED = 2;
  private static final byte DOUBTED = 4;

  private byte[] flags = new byte[1 << 12];
  private final List<long[]> notes = new ArrayList<>();
  private long reportsBeyond;

  /** Notes that a key's true count is at the threshold. */
  void due(int key, long millis) {
    note(key, millis, DUE);
  }

  /** Notes a verdict other than cool on a key, or on one beyond the limit of the census. */
  void told(int key, long millis, Verdict verdict) {
    if (key == KeyCensus.NONE) {
      reportsBeyond++;
    } else {
      note(key, millis, verdict.isHot() ? REPORTED : DOUBTED);
    }
  }

  /** Returns how many verdicts other than cool were on keys beyond the limit of the census. */
  long reportsBeyond() {
    return reportsBeyond;
  }

  /** Returns the keys that were noted, the highest peak first. */
  List<HotKey> keys(KeyCensus census, SlidingTruth truth) {
    var numbers = new int[census.size()];
    Arrays.fill(numbers, KeyCensus.NONE);
    var first = new ArrayList<@Nullable Long[]>();
    var order = new ArrayList<Integer>();
    for (long[] note : notes) {
      int key = (int) note[0];
      if (numbers[key] == KeyCensus.NONE) {
        numbers[key] = order.size();
        order.add(key);
        first.add(new @Nullable Long[3]);
      }
      first.get(numbers[key])[place(note[2])] = note[1];
    }
    var keys = new ArrayList<HotKey>();
    for (int i : Ranking.highest(order.size(), order.size(), n -> truth.peak(order.get(n)))) {
      int key = order.get(i);
      @Nullable Long[] times = first.get(i);
      keys.add(
          new HotKey(
              Shown.key(census, key),
              census.total(key),
              truth.peak(key),
              times[0],
              times[1],
              times[2]));
    }
    return keys;
  }

  private void note(int key, long millis, byte what) {
    if (key >= flags.length) {
      flags = Arrays.copyOf(flags, Math.max(key + 1, 2 * flags.length));
    }
    if ((flags[key] & what) == 0) {
      flags[key] |= what;
      notes.add(new long[] {key, millis, what});
    }
  }

  private static int place(long what) {
    return Long.numberOfTrailingZeros(what);
  }
}
