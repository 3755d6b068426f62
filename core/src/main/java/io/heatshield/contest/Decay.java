package io.heatshield.contest;

/**
 * How a score fades: by the factor e with every window that passes.
 *
 * <p>A score that was brought up to date over any gap from 0 to 10 years differs from the exact
 * value by less than 10<sup>-12</sup> of it, and where the exact value is below 10<sup>-300</sup>
 * it may be 0. It is never negative, never NaN, and stops at the largest double.
 */
final class Decay {
  /*
   * The quotient gap / window is off by at most three roundings, 3.4e-16 of it; past 745 the result is 0, so the factor is
   * off by at most 745 * 3.4e-16 and the last place of Math.exp. Pinned by DecayTest against a BigDecimal model.
   *
   * A power of e is most of what a touch costs after its cache misses. A coarse ticker makes most gaps of busy keys 0,
   * which need none; most others are below a 512th of the window, where what the series to the fifth power leaves out is
   * below 2^-54 / 720.
   */
  private static final double SMALL = 0x1p-9;

  private final double windowNanos;
  private final double perNano;

  Decay(long windowNanos) {
    this.windowNanos = windowNanos;
    this.perNano = 1.0 / windowNanos;
  }

  /** Returns what is left of a score after a gap; time that seems to go back does nothing. */
  double after(double score, long gapNanos) {
    if (gapNanos <= 0) {
      return score;
    }
    double x = gapNanos * perNano;
    return score * (x < SMALL ? series(-x) : Math.exp(-gapNanos / windowNanos));
  }

  /** Returns a score after a gap and a touch. */
  double touched(double score, long gapNanos, long weight) {
    return Math.min(after(score, gapNanos) + weight, Double.MAX_VALUE);
  }

  private static double series(double x) {
    return 1 + x * (1 + x * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120)))));
  }

  /** Returns by how much a touch now counts more than one that was so long ago. */
  double gain(long gapNanos) {
    return gapNanos <= 0 ? 1 : Math.exp(gapNanos / windowNanos);
  }
}
