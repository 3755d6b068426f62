package io.heatshield.contest;

import io.heatshield.time.Rate;
import java.util.Arrays;
import java.util.List;

/**
 * The token buckets of each key of a table: one for each rate.
 *
 * <p>A touch charges every bucket that has enough tokens for it. A bucket that has too few is
 * exceeded and not charged. So the result for one rate does not depend on the other rates or on
 * their order. The arithmetic is exact, in whole numbers: a key that is touched at exactly its rate
 * is never limited.
 *
 * <p>A bucket holds its burst, plus a tolerance for touches that come, or are timed, a little
 * early: the tokens of {@value #TOLERANCE_MILLIS} ms, but always less than one touch. So at one
 * instant no more than the burst passes, and in any interval no more than rate x interval + burst +
 * 1 touches.
 */
final class TokenBuckets {
  /*
   * state[i]   what bucket i lacks to be full. A touch costs per.toNanos() units and one nanosecond
   *            refills `touches` units, so no rate needs a fraction. A full bucket is 0.
   * state[n]   the time of the last charge; n is the number of rates
   */
  static final int TOLERANCE_MILLIS = 50;

  /** A rate, at least 1 touch, and the touches that are allowed at once. */
  record Limit(Rate rate, long burst) {}

  /** The most rates: {@link #charge} returns a bit for each. */
  static final int MAX_RATES = Long.SIZE;

  private static final long TOLERANCE_NANOS = TOLERANCE_MILLIS * 1_000_000L;

  private final long[] touchCost;
  private final long[] refillPerNano;
  private final long[] capacity;

  TokenBuckets(List<Limit> limits) {
    touchCost = limits.stream().mapToLong(limit -> limit.rate().per().toNanos()).toArray();
    refillPerNano = limits.stream().mapToLong(limit -> limit.rate().touches()).toArray();
    capacity = new long[limits.size()];
    for (int i = 0; i < capacity.length; i++) {
      long tolerance = Math.min(touchCost[i] - 1, TOLERANCE_NANOS * refillPerNano[i]);
      capacity[i] = limits.get(i).burst() * touchCost[i] + tolerance;
    }
  }

  /** Returns whether other buckets have the same rates in the same order. */
  boolean hasSameRates(TokenBuckets other) {
    return Arrays.equals(touchCost, other.touchCost)
        && Arrays.equals(refillPerNano, other.refillPerNano)
        && Arrays.equals(capacity, other.capacity);
  }

  /** Returns the words of a key's state. */
  int words() {
    return touchCost.length + 1;
  }

  /** Returns the state of a key whose buckets are full. */
  long[] full(long now) {
    long[] state = new long[words()];
    state[touchCost.length] = now;
    return state;
  }

  /**
   * Charges buckets, and returns a bit for each, the first lowest, which is set if it is exceeded.
   *
   * @param selected a bit for each bucket, set if it is to be charged; the others are only refilled
   */
  long charge(long[] state, long weight, long now, long selected) {
    long gap = now - state[touchCost.length];
    if (gap > 0) {
      state[touchCost.length] = now;
    }
    long exceeded = 0;
    for (int i = 0; i < touchCost.length; i++) {
      long deficit = gap > 0 ? refill(state[i], gap, refillPerNano[i]) : state[i];
      if ((selected >>> i & 1) != 0) {
        // Division instead of multiplication, which a large weight from a caller could overflow.
        if (weight <= (capacity[i] - deficit) / touchCost[i]) {
          deficit += weight * touchCost[i];
        } else {
          exceeded |= 1L << i;
        }
      }
      state[i] = deficit;
    }
    return exceeded;
  }

  /** Returns what a bucket lacks after a gap. */
  private static long refill(long deficit, long gap, long perNano) {
    return gap > deficit / perNano ? 0 : deficit - gap * perNano;
  }
}
