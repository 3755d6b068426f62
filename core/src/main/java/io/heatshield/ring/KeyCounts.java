package io.heatshield.ring;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.nio.ByteBuffer;

/**
 * The counts of the keys of one scope of a ring.
 *
 * <p>An array, the remaining bytes of a buffer and the UTF-8 of a string are the same key if they
 * have the same bytes. The ring copies the bytes of a key when it inserts the key; a buffer is not
 * changed.
 *
 * <p>A call for a key that the ring holds allocates nothing, with two exceptions. When a slot of a
 * key first exceeds 65,535 touches, the key gets an array of 8 bytes per slot. The result of {@code
 * clamp} is a record of 32 bytes, unless the JIT compiler removes the allocation.
 */
public sealed class KeyCounts permits HotRing {
  final EntryTable table;
  final byte scope;

  KeyCounts(EntryTable table, byte scope) {
    this.table = table;
    this.scope = scope;
  }

  /**
   * Counts one touch. Returns the new count, or 0 if the ring is full and does not hold the key.
   */
  public final long touch(byte[] key) {
    return touchHashed(table.hash.hash(key), key);
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(ByteBuffer key) {
    return table.touch(KeyForm.BUFFER, scope, key, table.hash.hash(key), second(key));
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(String key) {
    return table.touch(KeyForm.TEXT, scope, key, table.hash.hash(key), second(key));
  }

  /** Counts one touch of a key whose hash by {@link #hash} is known. */
  public final long touchHashed(long hash, byte[] key) {
    return table.touch(KeyForm.BYTES, scope, key, hash, second(key));
  }

  /** Returns the count of a key, or 0 if the ring does not hold it; counts nothing. */
  public final long count(byte[] key) {
    return countHashed(table.hash.hash(key), key);
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(ByteBuffer key) {
    return table.count(scope, table.hash.hash(key), second(key));
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(String key) {
    return table.count(scope, table.hash.hash(key), second(key));
  }

  /** Returns the count of a key whose hash by {@link #hash} is known. */
  public final long countHashed(long hash, byte[] key) {
    return table.count(scope, hash, second(key));
  }

  /**
   * Prefetches the entries of keys that will be counted next into the processor's caches. The loads
   * of different keys overlap. Changes nothing.
   *
   * @param hashes the keys' hashes by {@link #hash}
   * @param count the number of hashes to use, from the first
   * @return how many of the keys the ring seems to hold
   */
  public final int fetchHashed(long[] hashes, int count) {
    return table.prefetch(scope, hashes, count);
  }

  /**
   * Counts one touch if the key's count is below a limit.
   *
   * @param limit the number of calls to admit in a window; 0 or less for no limit
   */
  public final Clamp clamp(byte[] key, long limit) {
    return clampHashed(table.hash.hash(key), key, limit);
  }

  /** Clamps a key, as {@link #clamp(byte[], long)} does. */
  public final Clamp clamp(ByteBuffer key, long limit) {
    return clamp(KeyForm.BUFFER, key, table.hash.hash(key), second(key), limit);
  }

  /** Clamps a key, as {@link #clamp(byte[], long)} does. */
  public final Clamp clamp(String key, long limit) {
    return clamp(KeyForm.TEXT, key, table.hash.hash(key), second(key), limit);
  }

  /** Clamps a key whose hash by {@link #hash} is known. */
  public final Clamp clampHashed(long hash, byte[] key, long limit) {
    return clamp(KeyForm.BYTES, key, hash, second(key), limit);
  }

  /**
   * Clamps a key whose hash by {@link #hash} is known, without allocating a result.
   *
   * @return 0 if the call is admitted; otherwise the nanoseconds, at least 1, until a call is
   *     admitted, or {@link Clamp#NEVER}
   */
  public final long waitHashed(long hash, byte[] key, long limit) {
    long second = second(key);
    long result = table.clamp(KeyForm.BYTES, scope, key, hash, second, limit);
    return result < 0 ? table.roomNanos(scope, hash, second, limit) : 0;
  }

  /** Removes a key, and returns the count that it had, or 0 if the ring did not hold it. */
  public final long remove(byte[] key) {
    return table.remove(scope, table.hash.hash(key), second(key));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public final long remove(ByteBuffer key) {
    return table.remove(scope, table.hash.hash(key), second(key));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public final long remove(String key) {
    return table.remove(scope, table.hash.hash(key), second(key));
  }

  /** Returns the function for the hashes that some methods accept. */
  public final KeyHash hash() {
    return table.hash;
  }

  private <K> Clamp clamp(KeyForm<K> form, K key, long hash, long second, long limit) {
    long result = table.clamp(form, scope, key, hash, second, limit);
    return Clamp.of(result, result < 0 ? table.roomNanos(scope, hash, second, limit) : 0);
  }

  private long second(byte[] key) {
    return table.second.hash(key);
  }

  private long second(ByteBuffer key) {
    return table.second.hash(key);
  }

  private long second(String key) {
    return table.second.hash(key);
  }
}
