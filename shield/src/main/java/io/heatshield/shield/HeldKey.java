package io.heatshield.shield;

import java.util.Arrays;

/** A key as seen by one kind of client: who it is and which database it looks at count too. */
final class HeldKey {
  private final int view;
  private final byte[] bytes;
  private final long hash;

  HeldKey(int view, byte[] bytes, long hash) {
    this.view = view;
    this.bytes = bytes;
    this.hash = hash;
  }

  byte[] bytes() {
    return bytes;
  }

  long hash() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HeldKey that
        && hash == that.hash
        && view == that.view
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (int) hash + view;
  }
}
