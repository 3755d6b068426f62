package io.heatshield.filter;

/** What came of adding a key. */
public enum AddResult {
  /** The key is in. */
  ADDED(true),
  /** The key is in, and the filter added a sub-filter to take it. */
  GREW(true),
  /** Nothing was changed: the key, or one that looks the same, is in already. */
  PRESENT(true),
  /**
   * Nothing was changed: there is no room, or none within reach. The key is <em>not</em> in the
   * filter, which must not be asked for it until it has grown or been rebuilt.
   */
  FULL(false),
  /**
   * Nothing was changed: the key was added as often as a key may be. It is in the filter, but this
   * call did not count, and must not be followed by a delete of its own.
   */
  AT_LIMIT(false);

  private final boolean accepted;

  AddResult(boolean accepted) {
    this.accepted = accepted;
  }

  /** Returns whether the filter answers for the key from now on. */
  public boolean accepted() {
    return accepted;
  }
}
