package io.heatshield.contest;

/**
 * The exponential decay of scores: by the factor e in each window.
 *
 * <p>After any gap from 0 to 10 years, a decayed score differs from the exact value by less than
 * 10<sup>-12</sup> of it; where the exact value is below 10<sup>-300</sup>, the result may be 0. A
 * score is never negative and never NaN, and stops at the largest double.
 */
final class Decay {
  /*
   * The quotient gap / window is off by at most three roundings, 3.4e-16 of it. For a quotient
   * above 745 the result is 0, so the factor is off by at most 745 * 3.4e-16 plus the last place of
   * Math.exp. Pinned by DecayTest against a BigDecimal model.
   *
   * Apart from its cache misses, a touch costs little but the power of e. With a coarse ticker most
   * gaps between touches of a busy key are 0 and need no power. Most others are below 1/512 of the
   * window: there a series up to the fifth power is used, and the omitted terms are below
   * 2^-54 / 720.
   */
  private static final double SERIES_BELOW = 0x1p-9;

  private final double windowNanos;
  private final double windowsPerNano;

  Decay(long windowNanos) {
    this.windowNanos = windowNanos;
    this.windowsPerNano = 1.0 / windowNanos;
  }

  /** Returns a score after a gap; a negative gap, from a ticker that went back, counts as 0. */
  double after(double score, long gapNanos) {
    if (gapNanos <= 0) {
      return score;
    }
    double windows = gapNanos * windowsPerNano;
    return score * (windows < SERIES_BELOW ? series(-windows) : Math.exp(-gapNanos / windowNanos));
  }

  /** Returns a score after a gap and a touch. */
  double touched(double score, long gapNanos, long weight) {
    return Math.min(after(score, gapNanos) + weight, Double.MAX_VALUE);
  }

  /** Returns the inverse of the decay in a gap: how much more a touch after the gap counts. */
  double growth(long gapNanos) {
    return gapNanos <= 0 ? 1 : Math.exp(gapNanos / windowNanos);
  }

  private static double series(double x) {
    return 1 + x * (1 + x * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120)))));
  }
}
