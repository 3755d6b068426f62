package io.heatshield.testkit.keys;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A seeded source of random ranks from 1 to n; rank k has a probability proportional to {@code 1 /
 * k^s}.
 *
 * <p>The distribution is exact up to the rounding of {@code double}: it is not truncated and uses
 * no table. A draw takes constant expected time and allocates nothing. The same arguments give the
 * same ranks on every machine.
 *
 * <p>Not for use by several threads; give each its own, with its own seed.
 */
public final class Zipf {
  /*
   * Rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from
   * monotone discrete distributions", ACM TOMACS 6(3), 1996).
   *
   * h(x) = x^-s is convex, so the area under it from k-1/2 to k+1/2 is at least h(k). Let H be its
   * integral from 1. A point u that is uniform between H(n+1/2) and H(3/2)-h(1) is inverted to
   * x = H^-1(u), and x is rounded to k. Each k then owns the interval of u that ends at H(k+1/2);
   * it is accepted in the last h(k) of it, which makes its probability proportional to h(k). The
   * interval of rank 1 has exactly the length h(1), so it is never rejected.
   *
   * The test k - x <= acceptBelow avoids most evaluations of H: it is the bound for k = 2, and the
   * intervals of all larger k accept at least as much.
   *
   * Math.log and the like may differ in the last bit between machines; StrictMath may not.
   */
  private static final long MAX_RANKS = 1L << 50;

  private final long n;
  private final double s;
  private final SplittableRandom random;
  private final double top;
  private final double bottom;
  private final double acceptBelow;

  /**
   * Creates a source.
   *
   * @param n the number of ranks, from 1 to 2^50
   * @param s the exponent, positive; a larger exponent makes the first ranks more frequent
   */
  public Zipf(long n, double s, long seed) {
    if (n < 1 || n > MAX_RANKS) {
      throw new IllegalArgumentException("n must be from 1 to 2^50: " + n);
    }
    if (!(s > 0 && s <= 100)) {
      throw new IllegalArgumentException("s must be above 0 and at most 100: " + s);
    }
    this.n = n;
    this.s = s;
    this.random = new SplittableRandom(seed);
    this.top = area(n + 0.5);
    this.bottom = area(1.5) - 1;
    this.acceptBelow = 2 - areaInverse(area(2.5) - height(2));
  }

  /** Returns the next rank, from 1 to n; 1 is the hottest. */
  public long next() {
    while (true) {
      double u = top + random.nextDouble() * (bottom - top);
      double x = areaInverse(u);
      long k = Math.max(1, Math.min(n, (long) (x + 0.5)));
      if (k - x <= acceptBelow || u >= area(k + 0.5) - height((double) k)) {
        return k;
      }
    }
  }

  /** Returns the key of the next rank. */
  public byte[] nextKey() {
    return key(next());
  }

  /** Returns the key of a rank, always 24 bytes of ASCII: {@code key:} and twenty digits. */
  public static byte[] key(long rank) {
    if (rank < 0) {
      throw new IllegalArgumentException("rank must not be negative: " + rank);
    }
    byte[] key = "key:00000000000000000000".getBytes(StandardCharsets.US_ASCII);
    long rest = rank;
    for (int i = key.length - 1; rest > 0; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  private double height(double x) {
    return StrictMath.exp(-s * StrictMath.log(x));
  }

  /** H(x) = (x^(1-s) - 1) / (1-s), which tends to log x as s tends to 1. */
  private double area(double x) {
    double log = StrictMath.log(x);
    double t = (1 - s) * log;
    return Math.abs(t) < 1e-9 ? log * (1 + t / 2) : log * StrictMath.expm1(t) / t;
  }

  private double areaInverse(double u) {
    double t = Math.max(-1, u * (1 - s));
    double log = Math.abs(t) < 1e-9 ? u * (1 - t / 2) : u * StrictMath.log1p(t) / t;
    return StrictMath.exp(log);
  }
}
