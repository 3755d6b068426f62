package io.heatshield.filter;

/** An answer to {@link Pressure}. */
public enum Relief {
  /** Shorten the fingerprints, down to what {@link Pressure} says, and go on. */
  SHRINK_FINGERPRINTS,
  /** Do not go on: the caller is told. */
  REFUSE,
  /**
   * Do not go on, and note that the owner means to rebuild: {@link FilterStats#rebuildWanted} stays
   * true until it did.
   */
  REBUILD
}
