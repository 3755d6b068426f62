package io.heatshield.filter;

/** What came of deleting a key. */
public enum DeleteResult {
  /** One fingerprint of the key was erased. */
  DELETED,
  /** Nothing was changed: the key is not in the filter. */
  ABSENT,
  /**
   * Nothing was changed: more than one sub-filter of a chain has such a fingerprint, and to erase
   * the wrong one would lose another key. The key stays as a false positive until the filter is
   * rebuilt.
   */
  KEPT,
  /** Nothing was changed: the owner said that the key was not there. */
  NOT_OWNED
}
