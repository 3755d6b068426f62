package io.heatshield.filter;

import java.util.function.LongPredicate;

/**
 * The keys of a store, for a filter to be rebuilt from: a scan.
 *
 * <p>What it must deliver: every key whose {@code add} returned before {@link #scan} was called and
 * that has not been deleted since. An owner who adds to the filter before it writes to the store
 * therefore waits, at the start of the scan, until its writes in flight are in the store. Keys that
 * are added or deleted later may be delivered or not.
 */
public interface KeySource {

  /** Returns how many keys to expect, for the size of the new filter and for progress. */
  long expectedItems();

  /**
   * Returns whether the scan shows the store as it was at one moment during the call: each key that
   * was in it exactly once, even if deleted since, and no other.
   *
   * <p>The moment must be a quiet one: no deletion of a key is then between its step in the store
   * and its step in the filter. A source that cannot promise all of this (a cursor over a live
   * table) returns false; the filter then keeps the fingerprint of a key that was deleted during
   * the scan whenever it cannot tell whose it is. That costs false positives and nothing else. A
   * source that returns true wrongly voids the promise that no key is ever lost.
   */
  boolean snapshot();

  /**
   * Delivers the hashes of the keys, made by the filter's own hash function, until there are no
   * more or the sink returns false.
   */
  void scan(LongPredicate sink);
}
