package io.heatshield.contest;

/** Receives every entry that a contest or a reduction of the table evicts. */
@FunctionalInterface
public interface EvictionListener {

  /**
   * Called after an entry was evicted, by the thread whose touch or resize evicted it.
   *
   * <p>No lock is held. An exception propagates to the caller of the table, whose touch has already
   * been counted.
   */
  void evicted(Tracked entry);
}
