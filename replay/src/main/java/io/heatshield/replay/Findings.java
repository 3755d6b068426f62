package io.heatshield.replay;

import io.heatshield.detect.Verdict;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records when each key was first hot by exact count, first reported and first uncertain.
 *
 * <p>Memory is one byte for each key and about 100 for each key that is recorded.
 */
final class Findings {
  private static final int ACTUAL = 0;
  private static final int REPORTED = 1;
  private static final int UNCERTAIN = 2;

  /** One bit for each event that was recorded, so that a repeated event costs one array read. */
  private byte[] seen = new byte[1 << 12];

  private final Map<Integer, @Nullable Long[]> times = new LinkedHashMap<>();
  private long reportsBeyond;

  /** Records that a key's exact count is at or above the threshold. */
  void actual(int key, long millis) {
    record(key, millis, ACTUAL);
  }

  /** Records a verdict other than cool; the key may be beyond the limit of the table. */
  void reported(int key, long millis, Verdict verdict) {
    if (key == KeyTable.NONE) {
      reportsBeyond++;
    } else {
      record(key, millis, verdict.isHot() ? REPORTED : UNCERTAIN);
    }
  }

  /** Returns the number of verdicts other than cool on keys beyond the limit of the table. */
  long reportsBeyond() {
    return reportsBeyond;
  }

  /** Returns the recorded keys, highest peak first. */
  List<HotKey> hotKeys(KeyTable keys, ExactWindow window) {
    return times.keySet().stream()
        .sorted(Comparator.comparing(window::peak, Comparator.reverseOrder()))
        .map(key -> hotKey(key, keys, window))
        .toList();
  }

  private HotKey hotKey(int key, KeyTable keys, ExactWindow window) {
    @Nullable Long[] first = times.getOrDefault(key, new @Nullable Long[3]);
    return new HotKey(
        ReportFormat.key(keys, key),
        keys.total(key),
        window.peak(key),
        first[ACTUAL],
        first[REPORTED],
        first[UNCERTAIN]);
  }

  private void record(int key, long millis, int event) {
    if (key >= seen.length) {
      seen = Arrays.copyOf(seen, Math.max(key + 1, 2 * seen.length));
    }
    if ((seen[key] & 1 << event) == 0) {
      seen[key] |= (byte) (1 << event);
      times.computeIfAbsent(key, k -> new @Nullable Long[3])[event] = millis;
    }
  }
}
