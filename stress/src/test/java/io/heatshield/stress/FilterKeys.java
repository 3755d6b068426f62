package io.heatshield.stress;

import java.util.SplittableRandom;

/** The keys of the filter's tests. */
final class FilterKeys {
  /** Stored at the start. */
  static final long[] STORED = new SplittableRandom(51).longs(13).toArray();

  /**
   * Keys that move a stored key when they are added: from the bucket that a reader checks second to
   * the bucket that it checks first.
   */
  static final long[] MOVERS = {0x8c4ab620287546ecL, 0xcb3f699a9270e109L};

  private FilterKeys() {}
}
