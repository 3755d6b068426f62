package io.heatshield.contest;

import java.util.Arrays;
import java.util.List;

/**
 * The token buckets of every key of a table: one for each rule, each with a rate of its own.
 *
 * <p>A touch charges every bucket that has enough for it; those that have not are exceeded and stay
 * as they are, so each rule tells for itself, in whatever order rules stand. Arithmetic is in whole
 * numbers and exact: a key that comes at exactly its rate is never limited, however long it comes.
 *
 * <p>A bucket holds its burst and, for touches that come or are timed a little early, up to {@value
 * #EARLY_MILLIS} ms' worth besides, always less than one touch. So no more than the burst passes at
 * one instant, and in any interval no more than rate times interval plus burst plus one.
 */
final class TokenBuckets {
  /*
   * state[i]     what bucket i lacks to be full, in units of which a touch costs per.toNanos() and one nanosecond gives back
   *              touches; so no rate needs a fraction, and the state of a key that was never seen is all zeros
   * state[n]     the time of the last charge
   */
  static final int EARLY_MILLIS = 50;
  static final int MOST_RULES = Long.SIZE;

  private static final long EARLY_NANOS = EARLY_MILLIS * 1_000_000L;

  private final long[] cost;
  private final long[] gain;
  private final long[] room;

  TokenBuckets(List<TokenRate> rates) {
    if (rates.size() > MOST_RULES) {
      throw new IllegalArgumentException("rates must be at most 64: " + rates.size());
    }
    cost = rates.stream().mapToLong(rate -> rate.per().toNanos()).toArray();
    gain = rates.stream().mapToLong(TokenRate::touches).toArray();
    room = new long[cost.length];
    for (int i = 0; i < room.length; i++) {
      long early = Math.min(cost[i] - 1, EARLY_NANOS * gain[i]);
      room[i] = rates.get(i).burst() * cost[i] + early;
    }
  }

  /** Returns whether the states of either are also those of the other. */
  boolean isLike(TokenBuckets other) {
    return Arrays.equals(cost, other.cost)
        && Arrays.equals(gain, other.gain)
        && Arrays.equals(room, other.room);
  }

  /** Returns the words of a key's state. */
  int words() {
    return cost.length + 1;
  }

  /** Returns the state of a key whose buckets are full. */
  long[] full(long now) {
    long[] state = new long[words()];
    state[cost.length] = now;
    return state;
  }

  /**
   * Charges buckets, and returns a bit for each, the first lowest, set if it is exceeded.
   *
   * @param which a bit for each bucket, set if it is to be charged; the others only fill up
   */
  long charge(long[] state, long weight, long now, long which) {
    long gap = now - state[cost.length];
    if (gap > 0) {
      state[cost.length] = now;
    }
    long exceeded = 0;
    for (int i = 0; i < cost.length; i++) {
      long lack = gap > 0 ? refilled(state[i], gap, gain[i]) : state[i];
      if ((which >>> i & 1) != 0) {
        // The quotient instead of the product: a weight from outside must not overflow.
        if (weight <= (room[i] - lack) / cost[i]) {
          lack += weight * cost[i];
        } else {
          exceeded |= 1L << i;
        }
      }
      state[i] = lack;
    }
    return exceeded;
  }

  private static long refilled(long lack, long gap, long gain) {
    return gap > lack / gain ? 0 : lack - gap * gain;
  }
}
