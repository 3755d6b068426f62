package io.heatshield.contest;

import java.time.Duration;

/**
 * How a table counts the distinct values that come with each of its keys.
 *
 * <p>Each entry has a bitmap of {@code bits} bits, and a value sets the bit that its hash names.
 * The estimate is that of linear counting, -bits ln(share of bits that are 0). Its standard error
 * is sqrt(e<sup>t</sup> - t - 1) / (t sqrt(bits)) at t = values / bits: with 256 bits 5.5 % at 300
 * values and 11 % at 1,000. Once every bit is set, past about bits ln(bits) values (1,420 of 256
 * bits), it says <i>at least</i>.
 *
 * <p>Every {@code leak} one bit chosen at random is cleared, whether or not it is set, so what is
 * remembered fades by the factor e in bits times the leak.
 *
 * @param bits the bits of a bitmap: a multiple of 64, 64 to 65,536
 * @param leak the time between two bits that are forgotten; zero to forget nothing
 */
public record Cardinality(int bits, Duration leak) {
  /** 256 bits, one of which is forgotten each second. */
  public static final Cardinality DEFAULT = new Cardinality(256, Duration.ofSeconds(1));

  static final int MAX_BITS = 1 << 16;

  /** Where a state has the time up to which bits were forgotten. */
  static final int TIME = 0;

  private static final int BITMAP = 1;
  private static final int MOST_HALVINGS = 64;

  /** Checks the settings. */
  public Cardinality {
    if (bits < Long.SIZE || bits > MAX_BITS || bits % Long.SIZE != 0) {
      throw new IllegalArgumentException("bits must be a multiple of 64 from 64 to 65536: " + bits);
    }
    if (leak.isNegative() || leak.compareTo(ContestTableBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "leak must be 0 to " + ContestTableBuilder.MAX_SPAN + ": " + leak);
    }
  }

  /** Returns the standard error of an estimate of so many values, in values. */
  public double error(double values) {
    double load = values / bits;
    return Math.sqrt(bits * (Math.expm1(load) - load));
  }

  /** Returns the most values that an estimate can tell: when all bits but one are set. */
  public long most() {
    return Math.round(bits * Math.log(bits));
  }

  /** Returns the words of an entry's state: the time up to which was leaked, and the bitmap. */
  int words() {
    return BITMAP + bits / Long.SIZE;
  }

  /** Returns the state of an entry that has seen nothing. */
  long[] empty(long now) {
    long[] state = new long[words()];
    state[TIME] = now;
    return state;
  }

  /** Adds a value, and forgets what is due. */
  void add(long[] state, long valueHash, long now, Xoroshiro random) {
    forget(state, now, random);
    int bit = (int) (((valueHash >>> Integer.SIZE) * bits) >>> Integer.SIZE);
    state[BITMAP + bit / Long.SIZE] |= 1L << bit;
  }

  /** Returns the estimate, having forgotten what is due. */
  Distinct estimate(long[] state, long now, Xoroshiro random) {
    forget(state, now, random);
    int zeros = bits;
    for (int i = BITMAP; i < state.length; i++) {
      zeros -= Long.bitCount(state[i]);
    }
    // A full bitmap tells no more than one with a single bit left, the largest that has a
    // logarithm.
    double estimate = -bits * Math.log((double) Math.max(zeros, 1) / bits);
    return new Distinct(Math.round(estimate), zeros == 0);
  }

  private void forget(long[] state, long now, Xoroshiro random) {
    long interval = leak.toNanos();
    long gap = now - state[TIME];
    if (interval == 0 || gap < interval) {
      return;
    }
    long due = gap / interval;
    state[TIME] += due * interval;
    // So many draws leave each bit with a chance of one half, as a random word does to 64 at once.
    long half = Math.round(bits * Math.log(2));
    for (int halvings = 0; due >= half; due -= half, halvings++) {
      for (int i = BITMAP; i < state.length; i++) {
        state[i] &= halvings < MOST_HALVINGS ? random.next() : 0;
      }
      if (halvings == MOST_HALVINGS) {
        return;
      }
    }
    for (; due > 0; due--) {
      int bit = random.below(bits);
      state[BITMAP + bit / Long.SIZE] &= ~(1L << bit);
    }
  }
}
