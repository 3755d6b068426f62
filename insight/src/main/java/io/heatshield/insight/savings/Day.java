package io.heatshield.insight.savings;

import java.time.LocalDate;
import java.util.List;

/**
 * The savings of one day, in UTC.
 *
 * @param day the day
 * @param entries the savings by mechanism and scope, without those that saved nothing
 */
public record Day(LocalDate day, List<Entry> entries) {

  /** Returns the saved calls. */
  public long saved() {
    return entries.stream().mapToLong(Entry::saved).sum();
  }

  /** Returns the calls that would have been saved. */
  public long wouldHaveSaved() {
    return entries.stream().mapToLong(Entry::wouldHaveSaved).sum();
  }

  /**
   * The savings of one mechanism in one scope.
   *
   * @param name the mechanism
   * @param scope the scope
   * @param saved the saved calls
   * @param wouldHaveSaved the calls that would have been saved, in observe mode
   */
  public record Entry(String name, String scope, long saved, long wouldHaveSaved) {}
}
