package io.heatshield.limit.counter;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import java.util.Arrays;
import java.util.List;

/**
 * The key of a counter: bytes that are unique for descriptor, domain, unit and algorithm.
 *
 * <p>The bytes are the same in every process, so backends may store them. The hash is not: its
 * secret is drawn once in each process, so that callers cannot choose keys that collide. Immutable.
 */
public final class CounterKey {
  /** The most bytes of a key. */
  public static final int MAX_BYTES = CounterKeyEncoder.MAX_BYTES;

  private static final KeyHash HASH = KeyHash.fast(HashSecret.random());

  private final byte[] bytes;
  private final long hash;

  /** Creates a key of bytes that must not be changed afterwards. */
  CounterKey(byte[] bytes, long hash) {
    this.bytes = bytes;
    this.hash = hash;
  }

  /**
   * Returns the key of the counter of a path of entries.
   *
   * @param limit its unit and algorithm are part of the key
   */
  public static CounterKey of(String domain, List<DescriptorEntry> entries, Limit limit) {
    return of(domain, entries, List.of(), limit);
  }

  /**
   * Returns the key of the counter of a path of entries, some of which match a pattern.
   *
   * @param patterns for each entry the pattern whose values share a counter, or an empty text; an
   *     empty list if there is none
   * @param limit its unit and algorithm are part of the key
   */
  public static CounterKey of(
      String domain, List<DescriptorEntry> entries, List<String> patterns, Limit limit) {
    byte[] bytes = CounterKeyEncoder.encode(domain, entries, patterns, limit);
    return new CounterKey(bytes, HASH.hash(bytes));
  }

  /** Returns a copy of the bytes. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** Returns the number of bytes, at most {@value #MAX_BYTES}. */
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
