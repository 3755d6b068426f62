package io.heatshield.data.command.hot;

import java.time.Duration;
import java.util.Arrays;

/**
 * Estimates how many different keys one client uses: in the current minute or in the one before,
 * whichever is more.
 *
 * <p>A bitmap of {@value #BITS} bits, right to within a few percent up to about five thousand keys,
 * and never much above that. For the event loop of the client.
 */
public final class DistinctKeys {
  static final int BITS = 1024;
  private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

  private final long[] seen = new long[BITS / Long.SIZE];
  private long startNanos;
  private long uses;
  private long before;
  private int zeros = BITS;
  private long estimate;

  DistinctKeys(long nowNanos) {
    startNanos = nowNanos;
  }

  /** Counts the use of a key by its hash. */
  void use(long hash, long nowNanos) {
    if (nowNanos - startNanos >= PERIOD_NANOS) {
      before = nowNanos - startNanos >= 2 * PERIOD_NANOS ? 0 : estimate;
      Arrays.fill(seen, 0);
      zeros = BITS;
      startNanos = nowNanos;
    }
    int bit = (int) (hash >>> (Long.SIZE - 10));
    uses++;
    if ((seen[bit / Long.SIZE] & (1L << bit)) == 0) {
      seen[bit / Long.SIZE] |= 1L << bit;
      zeros--;
      estimate = Math.round(BITS * Math.log((double) BITS / Math.max(1, zeros)));
    }
  }

  /** Counts another use of the last key. */
  public void repeat() {
    uses++;
  }

  /** Returns the number of uses of any key since the client connected. */
  long uses() {
    return uses;
  }

  /** Returns the estimated number of different keys. */
  long estimate() {
    return Math.max(before, estimate);
  }
}
