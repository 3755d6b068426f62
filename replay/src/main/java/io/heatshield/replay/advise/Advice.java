package io.heatshield.replay.advise;

import java.util.List;

/**
 * The result of a sweep over a trace.
 *
 * @param tried thresholds and windows with the chosen flush window, on the first half
 * @param widths the chosen threshold and window with sketches of several widths
 * @param flushes the chosen settings with all flush windows
 * @param chosen the recommended settings with the prediction from the first half
 * @param check the same settings on the second half
 * @param reason why these settings were chosen
 */
public record Advice(
    List<Outcome> tried,
    List<Outcome> widths,
    List<Outcome> flushes,
    Outcome chosen,
    Outcome check,
    String reason) {

  /** The tolerated relative error of a prediction. */
  public static final double TOLERANCE = 0.10;

  /** Returns the relative error of the predicted savings on the second half. */
  public double savingsOff() {
    double predicted = chosen.measured().savedShare();
    double seen = check.measured().savedShare();
    if (predicted == 0) {
      return seen == 0 ? 0 : 1;
    }
    return Math.abs(seen - predicted) / predicted;
  }

  /** Returns whether savings, recall and precision on the second half are as predicted. */
  public boolean holds() {
    Measurement first = chosen.measured();
    Measurement second = check.measured();
    return savingsOff() <= TOLERANCE
        && second.recall() >= first.recall() * (1 - TOLERANCE)
        && second.precision() >= first.precision() - TOLERANCE;
  }
}
