package io.heatshield.filter;

/** The result of removing a key. */
public enum RemoveResult {
  /** One fingerprint of the key was erased. */
  REMOVED,
  /** Nothing changed: the key is not in the filter. */
  ABSENT,
  /**
   * Nothing changed: several sub-filters of a chain hold a fingerprint that matches the key, and
   * erasing the wrong one would lose another key. The key remains as a false positive until the
   * filter is rebuilt.
   */
  KEPT,
  /** Nothing changed: the owner reported that it did not have the key. */
  NOT_OWNED
}
