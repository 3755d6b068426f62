package io.heatshield.contest;

import java.security.SecureRandom;

/**
 * The generator xoroshiro128++ of Blackman and Vigna: fast, and seeded so that nobody outside knows
 * which slots a contest will probe.
 *
 * <p>Whoever calls it holds the lock of its stripe. Its output is never shown, which it would not
 * bear: it is no cryptographic generator.
 */
final class Xoroshiro {
  private long s0;
  private long s1;

  /** Makes a generator from a seed of two words. */
  Xoroshiro(long seed0, long seed1) {
    s0 = seed0;
    s1 = (seed0 | seed1) == 0 ? 1 : seed1; // The state must not be zero.
  }

  /** Makes a generator from the system's secure source. */
  static Xoroshiro seeded(SecureRandom source) {
    return new Xoroshiro(source.nextLong(), source.nextLong());
  }

  long next() {
    long a = s0;
    long b = s1;
    long result = Long.rotateLeft(a + b, 17) + a;
    b ^= a;
    s0 = Long.rotateLeft(a, 49) ^ b ^ (b << 21);
    s1 = Long.rotateLeft(b, 28);
    return result;
  }

  /** Returns a number from 0 to {@code bound - 1}, each as likely to within bound / 2^32. */
  int below(int bound) {
    return (int) (((next() >>> Integer.SIZE) * bound) >>> Integer.SIZE);
  }
}
