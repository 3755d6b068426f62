package io.heatshield.contest;

/**
 * The time to which the scores of a stripe are scaled, so that they can be compared.
 *
 * <p>All scores decay by the same factor. So stored scores are not reduced as time passes; instead,
 * a new score is scaled up by the decay since the reference time. Scaled scores stay comparable
 * until the reference time moves. The caller holds the stripe's lock.
 */
final class ReferenceTime {
  /** A score of up to 2^63, scaled up by the decay of this many windows, still fits in a float. */
  private static final int MAX_WINDOWS = 32;

  private final Decay decay;
  private final long maxAgeNanos;
  private long nanos;
  private long lastNow;
  private double lastFactor = 1;

  ReferenceTime(Decay decay, long windowNanos, long now) {
    this.decay = decay;
    maxAgeNanos = MAX_WINDOWS * windowNanos;
    nanos = now;
    lastNow = now;
  }

  /** Returns whether the reference time must be moved, or scaled scores could overflow. */
  boolean isTooOld(long now) {
    return now - nanos > maxAgeNanos;
  }

  /** Moves the reference time to now, and returns the factor that rescales all scaled scores. */
  float moveTo(long now) {
    double factor = decay.after(1, now - nanos);
    nanos = now;
    lastNow = now;
    lastFactor = 1;
    return (float) factor;
  }

  /** Returns the factor that scales a score of this time to the reference time. */
  double factor(long now) {
    // A coarse ticker returns the same time to many touches.
    if (now != lastNow) {
      lastNow = now;
      lastFactor = decay.growth(now - nanos);
    }
    return lastFactor;
  }

  /** Returns a score of this time, scaled to the reference time. */
  float scale(double score, long now) {
    return (float) Math.min(score * factor(now), Float.MAX_VALUE);
  }
}
