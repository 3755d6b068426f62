package io.heatshield.contest;

/**
 * The time that scores of different times are compared as of.
 *
 * <p>All scores fade by the same factor, so instead of fading old ones, new ones are made larger: a
 * score as of the landmark stays what it is while time passes. Whoever calls it holds the lock of
 * the stripe.
 */
final class Landmark {
  /** Scores of up to 2^63, made larger by the factor of so many windows, still fit a float. */
  private static final int WINDOWS = 32;

  private final Decay decay;
  private final long mostNanos;
  private long at;
  private long now;
  private double gain = 1;

  Landmark(Decay decay, long windowNanos, long now) {
    this.decay = decay;
    mostNanos = WINDOWS * windowNanos;
    at = now;
    this.now = now;
  }

  /** Returns whether the landmark is too far back to go on with. */
  boolean isDue(long time) {
    return time - at > mostNanos;
  }

  /** Moves the landmark, and returns the factor that brings scores to it. */
  float moveTo(long time) {
    double factor = decay.after(1, time - at);
    at = time;
    now = time;
    gain = 1;
    return (float) factor;
  }

  /** Returns by how much a score of this time is larger as of the landmark. */
  double gain(long time) {
    // A coarse ticker shows one time to many touches.
    if (time != now) {
      now = time;
      gain = decay.gain(time - at);
    }
    return gain;
  }

  /** Returns a score of this time as of the landmark. */
  float mark(double score, long time) {
    return (float) Math.min(score * gain(time), Float.MAX_VALUE);
  }
}
