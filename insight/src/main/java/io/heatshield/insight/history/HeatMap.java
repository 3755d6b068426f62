package io.heatshield.insight.history;

import java.util.List;

/**
 * What was hot in a stretch of time that is cut into equal parts.
 *
 * @param fromMillis where it begins
 * @param toMillis where it ends
 * @param seen for each part whether anything was recorded in it
 * @param lines the hottest names first
 * @param total how many names there were, shown here or not
 */
public record HeatMap(
    long fromMillis, long toMillis, List<Boolean> seen, List<Line> lines, int total) {
  /**
   * One name.
   *
   * @param rates its highest rate in each part, 0 where it was not among the hottest
   */
  public record Line(HotName name, List<Float> rates) {
    /** Returns the highest rate of all parts. */
    public double peak() {
      float peak = 0;
      for (float rate : rates) {
        peak = Math.max(peak, rate);
      }
      return peak;
    }
  }
}
