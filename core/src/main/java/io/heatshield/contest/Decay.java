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
   * which need none.
   */
  private final double windowNanos;

  Decay(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /** Returns what is left of a score after a gap; time that seems to go back does nothing. */
  double after(double score, long gapNanos) {
    return gapNanos <= 0 ? score : score * Math.exp(-gapNanos / windowNanos);
  }

  /** Returns a score after a gap and a touch. */
  double touched(double score, long gapNanos, long weight) {
    return Math.min(after(score, gapNanos) + weight, Double.MAX_VALUE);
  }

  /** Returns by how much a touch now counts more than one that was so long ago. */
  double gain(long gapNanos) {
    return gapNanos <= 0 ? 1 : Math.exp(gapNanos / windowNanos);
  }
}
