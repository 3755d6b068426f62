package io.heatshield.ring;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.nio.ByteBuffer;

/**
 * The keys of one scope in a ring, in every form that a key comes in.
 *
 * <p>An array, the remaining bytes of a buffer and a string, as its UTF-8, name the same key if
 * they have the same bytes. Arrays and buffers are copied when a key comes in, and buffers are left
 * as they are. Nothing is allocated to count a key that is there, but for one array of 8 bytes per
 * slot when a slot of it first passes 65,535. The answer of {@code clamp} is a record, which costs
 * 32 bytes where the compiler does not take it apart.
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
    return touchHashed(table.hash.hash(key, 0, key.length), key);
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(ByteBuffer key) {
    return table.touch(KeyForm.BUFFER, scope, key, table.hash.hash(key), table.second.hash(key));
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(String key) {
    return table.touch(KeyForm.TEXT, scope, key, table.hash.hash(key), table.second.hash(key));
  }

  /** Counts one touch of a key whose hash under {@link #hash} is known. */
  public final long touchHashed(long hash, byte[] key) {
    return table.touch(KeyForm.BYTES, scope, key, hash, check(key));
  }

  /** Returns the count, and changes nothing; 0 of a key that is not there. */
  public final long count(byte[] key) {
    return countHashed(table.hash.hash(key, 0, key.length), key);
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(ByteBuffer key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(String key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the count of a key whose hash under {@link #hash} is known. */
  public final long countHashed(long hash, byte[] key) {
    return table.count(scope, hash, check(key));
  }

  /**
   * Loads keys that will be counted next into the processor's caches, all at once instead of one by
   * one; returns how many seem to be there. Changes nothing.
   *
   * @param hashes the keys' hashes under {@link #hash}
   * @param count how many of them to look at, from the first
   */
  public final int fetchHashed(long[] hashes, int count) {
    return table.fetch(scope, hashes, count);
  }

  /**
   * Counts one touch if the key is below its limit, and says whether it was.
   *
   * @param limit how many calls are admitted in a window; 0 or less for no limit
   */
  public final Clamp clamp(byte[] key, long limit) {
    return clampHashed(table.hash.hash(key, 0, key.length), key, limit);
  }

  /** Clamps a key, as {@link #clamp(byte[], long)} does. */
  public final Clamp clamp(ByteBuffer key, long limit) {
    long hash = table.hash.hash(key);
    long check = table.second.hash(key);
    return answer(table.clamp(KeyForm.BUFFER, scope, key, hash, check, limit), hash, check, limit);
  }

  /** Clamps a key, as {@link #clamp(byte[], long)} does. */
  public final Clamp clamp(String key, long limit) {
    long hash = table.hash.hash(key);
    long check = table.second.hash(key);
    return answer(table.clamp(KeyForm.TEXT, scope, key, hash, check, limit), hash, check, limit);
  }

  /** Clamps a key whose hash under {@link #hash} is known. */
  public final Clamp clampHashed(long hash, byte[] key, long limit) {
    long check = check(key);
    return answer(table.clamp(KeyForm.BYTES, scope, key, hash, check, limit), hash, check, limit);
  }

  /**
   * Clamps a key whose hash under {@link #hash} is known, and allocates nothing for the answer.
   *
   * @return 0 if it may go on, or the nanoseconds, at least 1, until it will find room; {@link
   *     Clamp#NEVER} for never
   */
  public final long waitHashed(long hash, byte[] key, long limit) {
    long check = check(key);
    long answer = table.clamp(KeyForm.BYTES, scope, key, hash, check, limit);
    return answer < 0 ? table.roomNanos(scope, hash, check, limit) : 0;
  }

  /** Takes a key out and returns the count that it had; 0 of a key that is not there. */
  public final long remove(byte[] key) {
    return table.remove(scope, table.hash.hash(key, 0, key.length), check(key));
  }

  /** Takes a key out, as {@link #remove(byte[])} does. */
  public final long remove(ByteBuffer key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Takes a key out, as {@link #remove(byte[])} does. */
  public final long remove(String key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the function whose hashes the methods that take one expect. */
  public final KeyHash hash() {
    return table.hash;
  }

  private long check(byte[] key) {
    return table.second.hash(key, 0, key.length);
  }

  private Clamp answer(long answer, long hash, long check, long limit) {
    return Clamp.of(answer, answer < 0 ? table.roomNanos(scope, hash, check, limit) : 0);
  }
}
