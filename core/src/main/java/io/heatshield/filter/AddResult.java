package io.heatshield.filter;

/** The result of adding a key. */
public enum AddResult {
  /** The key was added. */
  ADDED(true),
  /** The key was added to a new sub-filter, because all others were full. */
  GREW(true),
  /** Nothing changed: the owner had the key, and it is present. */
  PRESENT(true),
  /**
   * Nothing changed: the filter is full, or no eviction chain within the search limit leads to an
   * empty slot. The key is <em>not</em> in the filter; the filter's answers for it are wrong until
   * it has grown or been rebuilt.
   */
  FULL(false),
  /**
   * Nothing changed: the filter holds the maximum number of copies of the key, or of keys that look
   * the same. The key is found, but this call added no copy, so no removal must follow it.
   */
  AT_LIMIT(false);

  private final boolean accepted;

  AddResult(boolean accepted) {
    this.accepted = accepted;
  }

  /** Returns whether the filter finds the key from now on, until it is removed. */
  public boolean accepted() {
    return accepted;
  }
}
