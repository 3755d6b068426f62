package io.heatshield.stress;

import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.HeavyHittersListener;
import io.heatshield.contest.KeyScore;
import io.heatshield.hash.HashSecret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The contest table under test, or with {@code -P broken} one with a known race. */
interface ContestSubject {
  /** Touches a key at a constant time and returns whether it was admitted. */
  boolean touch(String key, long weight);

  /** Returns the score of a key, or 0 if it is not tracked. */
  long find(String key);

  /** Removes a key and returns its score, or 0 if it is not tracked. */
  long remove(String key);

  /** Returns whether the kept key was reported as evicted. */
  boolean isEvicted();

  /** Selects the key of {@link #isEvicted}. */
  void keep(String key);

  static ContestSubject create(int slots) {
    return Boolean.getBoolean("stress.broken") ? new Naive(slots) : new Real(slots);
  }

  /** The table itself, without rules. */
  final class Real implements ContestSubject, HeavyHittersListener {
    private final HeavyHitters table;
    private byte[] kept = {};
    private volatile boolean evicted;

    Real(int slots) {
      table =
          HeavyHitters.builder()
              .maxKeys(slots)
              .secret(HashSecret.of(new byte[16]))
              .ticker(() -> 0)
              .listener(this)
              .build();
    }

    @Override
    public boolean touch(String key, long weight) {
      return table.touch(key, weight, List.of()).counted();
    }

    @Override
    public long find(String key) {
      return table.find(key).map(Real::score).orElse(0L);
    }

    @Override
    public long remove(String key) {
      return table.remove(key).map(Real::score).orElse(0L);
    }

    @Override
    public boolean isEvicted() {
      return evicted;
    }

    @Override
    public void keep(String key) {
      kept = key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void evicted(KeyScore key) {
      evicted |= Arrays.equals(key.key(), kept);
    }

    private static long score(KeyScore entry) {
      return Math.round(entry.score());
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
    public boolean touch(String key, long weight) {
      long score = find(key) + weight;
      if (score == weight && scores.size() >= slots) {
        for (String other : List.copyOf(scores.keySet())) {
          if (find(other) >= weight) {
            return false;
          }
          evicted |= other.equals(kept);
          scores.remove(other);
        }
      }
      scores.put(key, score);
      return true;
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
