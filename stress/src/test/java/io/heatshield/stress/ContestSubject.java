package io.heatshield.stress;

import io.heatshield.contest.ContestTable;
import io.heatshield.contest.Tracked;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The contest table under test, or with {@code -P broken} one with a known race. */
interface ContestSubject {
  /** Touches a key at a constant time and returns its score, or 0 if it was not admitted. */
  long touch(String key, long weight);

  /** Returns the score of a key, or 0 if it is not tracked. */
  long find(String key);

  /** Removes a key and returns its score, or 0 if it is not tracked. */
  long remove(String key);

  /** Returns whether the kept entry was removed from the table. */
  boolean isEvicted();

  /** Keeps a reference to the current entry of a key. */
  void keep(String key);

  static ContestSubject create(int slots) {
    return Boolean.getBoolean("stress.broken") ? new Naive(slots) : new Real(slots);
  }

  /** The table itself. */
  final class Real implements ContestSubject {
    private static final HashSecret SECRET = HashSecret.of(new byte[16]);

    private final ContestTable table;
    private final KeyHash hash = KeyHash.fast(SECRET);
    private @Nullable Tracked kept;

    Real(int slots) {
      table = ContestTable.builder().slots(slots).secret(SECRET).ticker(() -> 0).build();
    }

    @Override
    public long touch(String key, long weight) {
      return table.touch(hash.hash(key), key, weight) instanceof Tracked entry ? score(entry) : 0;
    }

    @Override
    public long find(String key) {
      Tracked entry = table.find(hash.hash(key), key);
      return entry == null ? 0 : score(entry);
    }

    @Override
    public long remove(String key) {
      Tracked entry = table.remove(key.getBytes(StandardCharsets.UTF_8));
      return entry == null ? 0 : score(entry);
    }

    @Override
    public boolean isEvicted() {
      return kept == null || kept.isEvicted();
    }

    @Override
    public void keep(String key) {
      kept = table.find(hash.hash(key), key);
    }

    private static long score(Tracked entry) {
      return Math.round(entry.snapshot().score());
    }
  }

  /** Reads and writes in two steps: an interleaved update is lost, or exceeds the slots. */
  final class Naive implements ContestSubject {
    private final int slots;
    private final Map<String, Long> scores = new ConcurrentHashMap<>();
    private String kept = "";
    private volatile boolean evicted;

    Naive(int slots) {
      this.slots = slots;
    }

    @Override
    public long touch(String key, long weight) {
      long score = find(key) + weight;
      if (score == weight && scores.size() >= slots) {
        for (String other : List.copyOf(scores.keySet())) {
          if (find(other) >= weight) {
            return 0;
          }
          evicted |= other.equals(kept);
          scores.remove(other);
        }
      }
      scores.put(key, score);
      return score;
    }

    @Override
    public long find(String key) {
      return scores.getOrDefault(key, 0L);
    }

    @Override
    public long remove(String key) {
      long score = find(key);
      scores.remove(key);
      return score;
    }

    @Override
    public boolean isEvicted() {
      return evicted;
    }

    @Override
    public void keep(String key) {
      kept = key;
    }
  }
}
