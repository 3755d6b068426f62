package io.heatshield.limit.counter;

import java.util.Arrays;

/**
 * The key of a counter: bytes that are unique for descriptor, domain, unit and algorithm.
 *
 * <p>The bytes are the same in every process, so backends may store them. The hash is not, because
 * it is keyed. Immutable.
 */
public final class CounterKey {
  private final byte[] bytes;
  private final long hash;

  /** Creates a key of bytes that must not be changed afterwards. */
  CounterKey(byte[] bytes, long hash) {
    this.bytes = bytes;
    this.hash = hash;
  }

  /** Returns a copy of the bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** Returns the number of bytes, at most {@value CounterKeys#MAX_BYTES}. */
  public int length() {
    return bytes.length;
  }

  /** Returns the hash of the bytes under the secret of this process, for sketches. */
  public long hash() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }
}
