package io.heatshield.contest;

/** Something that is kept under a key. */
abstract sealed class Keyed permits Tracked, Block {
  final long hash;

  /** The key as {@link io.heatshield.key.KeyForm} stores it; never written. */
  final byte[] stored;

  Keyed(long hash, byte[] stored) {
    this.hash = hash;
    this.stored = stored;
  }
}
