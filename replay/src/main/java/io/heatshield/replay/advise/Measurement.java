package io.heatshield.replay.advise;

/**
 * The effect of some settings on one part of a trace.
 *
 * @param touches all touches of this part
 * @param hotTouches touches of keys that were reported as hot
 * @param saved calls that would have been saved
 * @param spread the standard error of the saved share, estimated from blocks of this part
 * @param actual keys that were hot by exact count
 * @param found keys that were hot by exact count and that the detector found
 * @param reported keys that the detector reported as hot
 * @param truePositives reported keys that were hot by exact count
 */
public record Measurement(
    long touches,
    long hotTouches,
    long saved,
    double spread,
    long actual,
    long found,
    long reported,
    long truePositives) {

  /** Returns the saved fraction of all calls. */
  public double savedShare() {
    return touches == 0 ? 0 : (double) saved / touches;
  }

  /** Returns the fraction of hot keys that were found; 1 if there were no hot keys. */
  public double recall() {
    return actual == 0 ? 1 : (double) found / actual;
  }

  /** Returns the fraction of reported keys that were hot; 1 if no key was reported. */
  public double precision() {
    return reported == 0 ? 1 : (double) truePositives / reported;
  }

  /** Returns a lower bound of the saved share: two standard errors below the mean. */
  double savedShareLowerBound() {
    return savedShare() - 2 * spread;
  }

  /** Returns whether the savings are stable: a standard error of at most 5 % of the mean. */
  boolean isSteady() {
    return saved > 0 && spread <= 0.05 * savedShare();
  }
}
