package io.heatshield.stress;

import io.heatshield.detect.HashedHotKeyDetector;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.Verdict;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The detector under test with one key that is hot at {@value #HOT_AT} touches, or with {@code -P
 * broken} a detector with known bugs.
 */
interface DetectorSubject {
  int HOT_AT = 4;

  /** Counts a touch by one of two actors and returns 1 if its verdict is hot. */
  int touch(int actor, int weight);

  /** Advances the time by a pane and reviews the keys. */
  void turn();

  long estimate();

  /** Returns how often the listener was notified that the key turned hot. */
  int reports();

  static DetectorSubject create(int stripes) {
    return Boolean.getBoolean("stress.broken") ? new Broken() : new Real(stripes);
  }

  /** A small detector. */
  final class Real implements DetectorSubject {
    private static final HashSecret SECRET = HashSecret.of(new byte[16]);
    private static final KeyHash HASH = KeyHash.fast(SECRET);
    private static final byte[] KEY = {'k'};
    private static final long KEY_HASH = HASH.hash(KEY);
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final int PANES = 2;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger reports = new AtomicInteger();
    private final HashedHotKeyDetector detector;

    Real(int stripes) {
      detector =
          HotKeyDetector.builder()
              .window(WINDOW)
              .panes(PANES)
              .threshold(HOT_AT)
              .width(64)
              .depth(2)
              .topK(1)
              .stripes(stripes)
              .secret(SECRET)
              .ticker(now::get)
              .onHot(key -> reports.incrementAndGet())
              .build()
              .hashed(HASH);
    }

    @Override
    public int touch(int actor, int weight) {
      return detector.touch(KEY_HASH, KEY, weight) == Verdict.COOL ? 0 : 1;
    }

    @Override
    public void turn() {
      now.addAndGet(WINDOW.toNanos() / PANES);
      detector.detector().maintain();
    }

    @Override
    public long estimate() {
      return detector.estimate(KEY_HASH).touches();
    }

    @Override
    public int reports() {
      return reports.get();
    }
  }

  /**
   * A detector whose touches count and read without a lock, whose panes rotate during touches, and
   * whose state any thread changes.
   */
  final class Broken implements DetectorSubject {
    private int first;
    private int second;
    private int older;
    private boolean hot;
    private int reports;

    @Override
    public int touch(int actor, int weight) {
      if (actor == 0) {
        first += weight;
      } else {
        second += weight;
      }
      if (first + second + older < HOT_AT) {
        return 0;
      }
      if (!hot) {
        hot = true;
        reports++;
      }
      return 1;
    }

    @Override
    public void turn() {
      older += first + second;
      first = 0;
      second = 0;
    }

    @Override
    public long estimate() {
      return (long) first + second + older;
    }

    @Override
    public int reports() {
      return reports;
    }
  }
}
