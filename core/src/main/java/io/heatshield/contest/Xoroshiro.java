package io.heatshield.contest;

import java.security.SecureRandom;

/**
 * The random number generator xoroshiro128++ of Blackman and Vigna.
 *
 * <p>It is fast, and its secret seed keeps clients from predicting which slots a contest probes. It
 * is not a cryptographic generator: its output must stay inside the process. The caller holds the
 * stripe's lock.
 */
final class Xoroshiro {
  private long s0;
  private long s1;

  /** Creates a generator from a seed of two words. */
  Xoroshiro(long seed0, long seed1) {
    s0 = seed0;
    s1 = (seed0 | seed1) == 0 ? 1 : seed1; // The state must not be zero.
  }

  /** Creates a generator with a seed from a secure source. */
  static Xoroshiro seeded(SecureRandom source) {
    return new Xoroshiro(source.nextLong(), source.nextLong());
  }

  /** Returns the next 64 random bits. */
  long next() {
    long a = s0;
    long b = s1;
    long result = Long.rotateLeft(a + b, 17) + a;
    b ^= a;
    s0 = Long.rotateLeft(a, 49) ^ b ^ (b << 21);
    s1 = Long.rotateLeft(b, 28);
    return result;
  }

  /** Returns a number from 0 to {@code bound - 1}; uniform, with a bias of at most bound / 2^32. */
  int below(int bound) {
    return (int) (((next() >>> Integer.SIZE) * bound) >>> Integer.SIZE);
  }
}
