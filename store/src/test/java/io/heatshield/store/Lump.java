package io.heatshield.store;

import io.heatshield.structure.Structure;

/** A structure of ten bytes that are all the same. */
final class Lump implements Structure {
  @Override
  public long bytes() {
    return 10;
  }

  @Override
  public byte[] toBytes() {
    return new byte[10];
  }

  @Override
  public Structure copy() {
    return this;
  }
}
