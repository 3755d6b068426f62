package io.heatshield.replay.advise;

import java.util.List;

/**
 * What a sweep over a trace led to.
 *
 * @param tried thresholds and windows with the longest flush window allowed, on the first half
 * @param widths the chosen threshold and window with sketches of several widths
 * @param flushes the chosen settings with all flush windows
 * @param chosen the recommended settings with what the first half predicts
 * @param check the same settings on the second half
 * @param reason why these
 */
public record Advice(
    List<Outcome> tried,
    List<Outcome> widths,
    List<Outcome> flushes,
    Outcome chosen,
    Outcome check,
    String reason) {

  /** The most that a prediction may be off, as a part of it. */
  public static final double TOLERANCE = 0.10;

  /** Returns by how much the second half's savings differ from the prediction, as a part of it. */
  public double savingsOff() {
    double predicted = chosen.part().savedShare();
    double seen = check.part().savedShare();
    if (predicted == 0) {
      return seen == 0 ? 0 : 1;
    }
    return Math.abs(seen - predicted) / predicted;
  }

  /** Returns whether savings, recall and precision of the second half are as predicted. */
  public boolean holds() {
    Part first = chosen.part();
    Part second = check.part();
    return savingsOff() <= TOLERANCE
        && second.recall() >= first.recall() * (1 - TOLERANCE)
        && second.precision() >= first.precision() - TOLERANCE;
  }
}
