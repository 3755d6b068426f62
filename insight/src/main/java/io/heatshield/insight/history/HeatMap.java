package io.heatshield.insight.history;

import java.util.Collections;
import java.util.List;

/**
 * The rates of the hottest names in a period of equal parts.
 *
 * @param fromMillis the start of the period
 * @param toMillis the end of the period
 * @param seen for each part, whether it has samples
 * @param lines the names, highest rate first
 * @param total the number of matching names, including those not listed
 */
public record HeatMap(
    long fromMillis, long toMillis, List<Boolean> seen, List<Line> lines, int total) {
  /**
   * The rates of one name.
   *
   * @param rates the highest rate in each part, 0 where it was not among the hottest
   */
  public record Line(HotName name, List<Float> rates) {
    /** Returns the highest rate of all parts. */
    public double peak() {
      return Collections.max(rates);
    }
  }
}
