package io.heatshield.store.memory;

import java.util.Arrays;

/** A key with its keyed hash, so that nobody outside can aim at one place of a map. */
final class Key implements Comparable<Key> {
  final byte[] bytes;
  final long hash;

  Key(byte[] bytes, long hash) {
    this.bytes = bytes;
    this.hash = hash;
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
