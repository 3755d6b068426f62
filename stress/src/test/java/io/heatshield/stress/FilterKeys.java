package io.heatshield.stress;

import java.util.SplittableRandom;

/** The keys of the filter's tests. */
final class FilterKeys {
  /** Stored at the start. */
  static final long[] STORED = new SplittableRandom(3).longs(13).toArray();

  /**
   * Adding one of these to the stored keys moves one of them from the bucket that a reader looks at
   * second to the one it looks at first.
   */
  static final long[] MOVERS = {0x517740ba831b6152L, 0x6f560cb783e06141L};

  private FilterKeys() {}
}
