package io.heatshield.guard;

import java.util.Arrays;

/** A key of bytes with its hash. */
public final class BytesKey implements HashedKey, Comparable<BytesKey> {
  private final byte[] bytes;
  private final long hash;

  /** Creates the key with these bytes, which are not copied, and their hash. */
  public BytesKey(byte[] bytes, long hash) {
    this.bytes = bytes;
    this.hash = hash;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public long hash() {
    return hash;
  }

  @Override
  public int compareTo(BytesKey other) {
    return Arrays.compare(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BytesKey that && hash == that.hash && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (int) hash;
  }
}
