package io.heatshield.contest;

import java.time.Duration;

/**
 * The settings by which a table of {@link HeavyHitters} estimates the distinct targets of each key,
 * by linear counting.
 *
 * <p>Each entry has a bitmap of {@code bits} bits. A target sets the bit that its hash selects. The
 * estimate is -bits ln(share of bits that are 0). Its standard error is sqrt(e<sup>t</sup> - t - 1)
 * / (t sqrt(bits)) at t = targets / bits: with 256 bits 5.5 % at 300 targets and 11 % at 1,000. If
 * every bit is set, above about bits ln(bits) targets (1,420 for 256 bits), the estimate is marked
 * as <i>at least</i>.
 *
 * <p>In each interval {@code leak} one random bit is cleared, set or not. So the set bits decay by
 * the factor e in bits x leak.
 *
 * @param bits the size of a bitmap in bits: a multiple of 64, 64 to 65,536
 * @param leak the interval in which one bit is cleared; zero to clear no bits
 */
public record DistinctSettings(int bits, Duration leak) {
  /** 256 bits, one of which is cleared each second. */
  public static final DistinctSettings DEFAULT = new DistinctSettings(256, Duration.ofSeconds(1));

  static final int MAX_BITS = 1 << 16;

  /** The index in a state of the time up to which bits were cleared. */
  static final int TIME = 0;

  /** The index in a state of the first word of the bitmap. */
  private static final int BITMAP = 1;

  /** After this many halvings, the bitmap is cleared. */
  private static final int MAX_HALVINGS = 64;

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public DistinctSettings {
    if (bits < Long.SIZE || bits > MAX_BITS || bits % Long.SIZE != 0) {
      throw new IllegalArgumentException("bits must be a multiple of 64 from 64 to 65536: " + bits);
    }
    if (leak.isNegative() || leak.compareTo(HeavyHittersBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "leak must be 0 to " + HeavyHittersBuilder.MAX_SPAN + ": " + leak);
    }
  }

  /** Returns the standard error of an estimate of this number of targets, in targets. */
  public double error(double targets) {
    double load = targets / bits;
    return Math.sqrt(bits * (Math.expm1(load) - load));
  }

  /** Returns the highest estimate that is not <i>at least</i>: with all bits but one set. */
  public long most() {
    return Math.round(bits * Math.log(bits));
  }

  /** Returns the words of an entry's state: the time up to which bits were cleared, the bitmap. */
  int words() {
    return BITMAP + bits / Long.SIZE;
  }

  /** Returns the state of an entry without targets. */
  long[] empty(long now) {
    long[] state = new long[words()];
    state[TIME] = now;
    return state;
  }

  /** Clears the bits that are due, and adds a target. */
  void add(long[] state, long targetHash, long now, Xoroshiro random) {
    clearDue(state, now, random);
    int bit = (int) (((targetHash >>> Integer.SIZE) * bits) >>> Integer.SIZE);
    state[BITMAP + bit / Long.SIZE] |= 1L << bit;
  }

  /** Clears the bits that are due, and returns the estimate. */
  DistinctEstimate estimate(long[] state, long now, Xoroshiro random) {
    clearDue(state, now, random);
    int zeros = bits;
    for (int i = BITMAP; i < state.length; i++) {
      zeros -= Long.bitCount(state[i]);
    }
    // A full bitmap has no finite estimate, so it gets the estimate of one 0 bit.
    double estimate = -bits * Math.log((double) Math.max(zeros, 1) / bits);
    return new DistinctEstimate(Math.round(estimate), zeros == 0);
  }

  private void clearDue(long[] state, long now, Xoroshiro random) {
    long interval = leak.toNanos();
    long gap = now - state[TIME];
    if (interval == 0 || gap < interval) {
      return;
    }
    long due = gap / interval;
    state[TIME] += due * interval;
    // This number of random bits clears each bit with probability 1/2. So does a random word, to 64
    // bits at once.
    long half = Math.round(bits * Math.log(2));
    for (int halvings = 0; due >= half; due -= half, halvings++) {
      for (int i = BITMAP; i < state.length; i++) {
        state[i] &= halvings < MAX_HALVINGS ? random.next() : 0;
      }
      if (halvings == MAX_HALVINGS) {
        return;
      }
    }
    for (; due > 0; due--) {
      int bit = random.below(bits);
      state[BITMAP + bit / Long.SIZE] &= ~(1L << bit);
    }
  }
}
