package io.heatshield.contest;

/** Hears of every entry that loses its place to a newcomer or to a smaller table. */
@FunctionalInterface
public interface EvictionListener {

  /**
   * An entry has been evicted.
   *
   * <p>The thread whose touch or resize evicted it calls, after the fact and under no lock. What
   * this throws reaches the caller of the table, whose touch has been counted.
   */
  void evicted(Tracked entry);
}
