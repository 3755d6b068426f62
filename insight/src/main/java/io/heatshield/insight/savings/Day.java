package io.heatshield.insight.savings;

import java.time.LocalDate;
import java.util.List;

/**
 * What was saved on one day, in UTC.
 *
 * @param day which
 * @param entries by mechanism and scope, those that saved nothing left out
 */
public record Day(LocalDate day, List<Entry> entries) {

  /** Returns the calls that were saved. */
  public long saved() {
    return entries.stream().mapToLong(Entry::saved).sum();
  }

  /** Returns the calls that would have been saved. */
  public long wouldHaveSaved() {
    return entries.stream().mapToLong(Entry::wouldHaveSaved).sum();
  }

  /**
   * What one mechanism saved in one scope.
   *
   * @param name the mechanism
   * @param scope where
   * @param saved calls
   * @param wouldHaveSaved calls, while it observed
   */
  public record Entry(String name, String scope, long saved, long wouldHaveSaved) {}
}
