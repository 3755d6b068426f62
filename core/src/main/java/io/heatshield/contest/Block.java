package io.heatshield.contest;

/** A key that is blocked; read and written under the lock of its stripe. */
final class Block extends Keyed {
  long until;
  int tag;

  Block(long hash, byte[] stored, long until, int tag) {
    super(hash, stored);
    this.until = until;
    this.tag = tag;
  }
}
