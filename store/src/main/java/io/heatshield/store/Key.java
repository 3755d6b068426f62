package io.heatshield.store;

import java.util.Arrays;

/** A key with its keyed hash, so that nobody outside can aim at one place of a map. */
public final class Key implements Comparable<Key> {
  private final byte[] bytes;
  private final long hash;

  /** Creates the key with these bytes, which are not copied, and their hash. */
  public Key(byte[] bytes, long hash) {
    this.bytes = bytes;
    this.hash = hash;
  }

  /** Returns the bytes themselves. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the hash. */
  public long hash() {
    return hash;
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compare(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key that && hash == that.hash && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (int) hash;
  }
}
