package io.heatshield.filter;

/**
 * Scans the keys of a store, to rebuild a filter from them.
 *
 * <p>The scan must deliver every key whose addition to the filter returned before {@link #scan} was
 * called and that has not been removed since. An owner that adds a key to the filter before it
 * writes it to the store therefore has to wait, at the start of the scan, until its pending writes
 * are in the store. Keys that are added or removed during the scan may be delivered or not.
 */
public interface KeySource {

  /** Returns the expected number of keys, which determines the size of the new table. */
  long expectedItems();

  /**
   * Returns whether the scan delivers a snapshot of the store from one moment during the call: each
   * key that was in the store at that moment exactly once, even if it was removed since, and no
   * other key.
   *
   * <p>At that moment no removal may be half done, that is, applied to the store but not yet to the
   * filter, or the reverse. A source that cannot guarantee this, such as a cursor over a live
   * table, returns false. If a key is removed during a scan that is not a snapshot, the filter
   * keeps its fingerprint if it may belong to another key. This costs false positives and nothing
   * else. A source that wrongly returns true can cause false negatives.
   */
  boolean snapshot();

  /** Delivers the keys, until all are delivered or the sink returns false. */
  void scan(KeySink sink);
}
