package io.heatshield.stress;

import java.util.SplittableRandom;

/** The keys of the filter's tests. */
final class FilterKeys {
  /** Stored at the start. */
  static final long[] STORED = new SplittableRandom(51).longs(13).toArray();

  /**
   * Adding one of these to the stored keys moves one of them from the bucket that a reader looks at
   * second to the one it looks at first.
   */
  static final long[] MOVERS = {0x8c4ab620287546ecL, 0xcb3f699a9270e109L};

  private FilterKeys() {}
}
