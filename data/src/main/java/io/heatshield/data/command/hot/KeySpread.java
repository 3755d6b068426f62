package io.heatshield.data.command.hot;

import java.time.Duration;
import java.util.Arrays;

/**
 * About how many different keys one client uses: those of the present minute and of the one before,
 * whichever has more.
 *
 * <p>A bitmap of {@value #BITS} bits, right to within some percent up to about five thousand keys,
 * and never much above that. For the event loop of the client.
 */
public final class KeySpread {
  static final int BITS = 1024;
  private static final long TURN_NANOS = Duration.ofMinutes(1).toNanos();

  private final long[] seen = new long[BITS / Long.SIZE];
  private long turnedNanos;
  private long uses;
  private long before;
  private int zeros = BITS;
  private long estimate;

  KeySpread(long nowNanos) {
    turnedNanos = nowNanos;
  }

  /** Counts the use of a key by its hash. */
  void use(long hash, long nowNanos) {
    if (nowNanos - turnedNanos >= TURN_NANOS) {
      before = nowNanos - turnedNanos >= 2 * TURN_NANOS ? 0 : estimate;
      Arrays.fill(seen, 0);
      zeros = BITS;
      turnedNanos = nowNanos;
    }
    int bit = (int) (hash >>> (Long.SIZE - 10));
    uses++;
    if ((seen[bit / Long.SIZE] & (1L << bit)) == 0) {
      seen[bit / Long.SIZE] |= 1L << bit;
      zeros--;
      estimate = Math.round(BITS * Math.log((double) BITS / Math.max(1, zeros)));
    }
  }

  /** Counts one more use of the key that was used last. */
  public void again() {
    uses++;
  }

  /** Returns how many uses there were, of any key, since the client came. */
  long uses() {
    return uses;
  }

  /** Returns about how many different keys were used. */
  long keys() {
    return Math.max(before, estimate);
  }
}
