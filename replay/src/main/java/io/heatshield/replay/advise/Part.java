package io.heatshield.replay.advise;

/**
 * What settings did to one part of a trace.
 *
 * @param touches touches that calls saved are a part of
 * @param hotTouches those of keys that were held for hot
 * @param saved calls that would have been saved
 * @param spread the standard error of the saved part, by the blocks of this part
 * @param due keys that were hot in truth
 * @param found those of them that the detector did not call cool
 * @param reported keys that the detector called hot
 * @param right those of them that were hot in truth
 */
public record Part(
    long touches,
    long hotTouches,
    long saved,
    double spread,
    long due,
    long found,
    long reported,
    long right) {

  /** Returns the saved part of all calls. */
  public double savedShare() {
    return touches == 0 ? 0 : (double) saved / touches;
  }

  /** Returns the found part of the keys that were hot; 1 when none was. */
  public double recall() {
    return due == 0 ? 1 : (double) found / due;
  }

  /** Returns the part of the reported keys that were hot; 1 when none was. */
  public double precision() {
    return reported == 0 ? 1 : (double) right / reported;
  }

  /** Returns what is saved for all one knows: two standard errors below the mean. */
  double firm() {
    return savedShare() - 2 * spread;
  }

  /**
   * Returns whether the blocks of this part agree: the standard error is 5 % of the mean or less.
   */
  boolean isSteady() {
    return saved > 0 && spread <= 0.05 * savedShare();
  }
}
