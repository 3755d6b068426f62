package io.heatshield.ring;

import io.heatshield.action.Admission;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.nio.ByteBuffer;

/**
 * The counts of the keys of one scope of a ring.
 *
 * <p>An array, the remaining bytes of a buffer, the UTF-8 of a text and the decimal digits of a
 * number are the same key if they have the same bytes. The ring copies the bytes of a key when it
 * inserts the key; a buffer is not changed.
 *
 * <p>A call for a key that the ring holds allocates nothing, with two exceptions. When a slot of a
 * key first exceeds 65,535 touches, the key gets an array of 8 bytes per slot. The result of {@code
 * tryTouch} is an object of 32 bytes, unless the JIT compiler removes the allocation.
 */
public sealed class KeyCounts permits HotRing {
  final EntryTable table;
  final byte scope;
  private final HashedHotRing hashed;

  KeyCounts(EntryTable table, byte scope) {
    this.table = table;
    this.scope = scope;
    hashed = new HashedHotRing(table, scope);
  }

  /**
   * Counts one touch. Returns the new count, or 0 if the ring is full and does not hold the key.
   */
  public final long touch(byte[] key) {
    return table.touch(KeyForm.BYTES, scope, key, table.hash.hash(key), table.second.hash(key));
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(ByteBuffer key) {
    return table.touch(KeyForm.BUFFER, scope, key, table.hash.hash(key), table.second.hash(key));
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(CharSequence key) {
    return table.touch(KeyForm.TEXT, scope, key, table.hash.hash(key), table.second.hash(key));
  }

  /** Counts one touch, as {@link #touch(byte[])} does. */
  public final long touch(long key) {
    long hash = table.hash.hash(key);
    long second = table.second.hash(key);
    long count = table.touchHeld(scope, hash, second);
    // Only a new key is boxed, so that a touch of a number allocates nothing.
    return count == Entry.WAS_DEAD ? table.touch(KeyForm.NUMBER, scope, key, hash, second) : count;
  }

  /** Returns the count of a key, or 0 if the ring does not hold it; counts nothing. */
  public final long count(byte[] key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(ByteBuffer key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(CharSequence key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Returns the count, as {@link #count(byte[])} does. */
  public final long count(long key) {
    return table.count(scope, table.hash.hash(key), table.second.hash(key));
  }

  /**
   * Counts one touch if the key's count is below a limit. This is the clamp of the ring's design: a
   * limit of N admits exactly N calls in a window.
   *
   * <p>{@link Admission#retryAfter} of a key that a full ring refuses is the time until keys may
   * expire. A call that a full ring admits is not counted.
   *
   * @param limit the number of calls to admit in a window; 0 refuses every call
   * @throws IllegalArgumentException if the limit is negative
   */
  @CheckReturnValue
  public final Admission tryTouch(byte[] key, long limit) {
    return tryTouch(KeyForm.BYTES, key, table.hash.hash(key), table.second.hash(key), limit);
  }

  /** Counts one touch within a limit, as {@link #tryTouch(byte[], long)} does. */
  @CheckReturnValue
  public final Admission tryTouch(ByteBuffer key, long limit) {
    return tryTouch(KeyForm.BUFFER, key, table.hash.hash(key), table.second.hash(key), limit);
  }

  /** Counts one touch within a limit, as {@link #tryTouch(byte[], long)} does. */
  @CheckReturnValue
  public final Admission tryTouch(CharSequence key, long limit) {
    return tryTouch(KeyForm.TEXT, key, table.hash.hash(key), table.second.hash(key), limit);
  }

  /** Counts one touch within a limit, as {@link #tryTouch(byte[], long)} does. */
  @CheckReturnValue
  public final Admission tryTouch(long key, long limit) {
    checkLimit(limit);
    long hash = table.hash.hash(key);
    long second = table.second.hash(key);
    long result = table.tryTouchHeld(scope, hash, second, limit);
    return result == Entry.WAS_DEAD
        ? tryTouch(KeyForm.NUMBER, key, hash, second, limit)
        : admission(result, hash, second, limit);
  }

  /** Removes a key, and returns the count that it had, or 0 if the ring did not hold it. */
  public final long remove(byte[] key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public final long remove(ByteBuffer key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public final long remove(CharSequence key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public final long remove(long key) {
    return table.remove(scope, table.hash.hash(key), table.second.hash(key));
  }

  /**
   * Returns the view for callers that compute the hashes of keys themselves.
   *
   * @param by the function that they use
   * @throws IllegalArgumentException if it is another function than {@link #keyHash}, or has
   *     another secret
   */
  public final HashedHotRing hashed(KeyHash by) {
    if (by.fingerprint() != table.hash.fingerprint()) {
      throw new IllegalArgumentException("hash must be of the same function and secret");
    }
    return hashed;
  }

  /** Returns the hash function of the keys. */
  public final KeyHash keyHash() {
    return table.hash;
  }

  static void checkLimit(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
  }

  private <K> Admission tryTouch(KeyForm<K> form, K key, long hash, long second, long limit) {
    checkLimit(limit);
    return admission(table.tryTouch(form, scope, key, hash, second, limit), hash, second, limit);
  }

  private Admission admission(long result, long hash, long second, long limit) {
    long wait = result < 0 ? table.waitNanos(scope, hash, second, limit) : 0;
    return table.admission(result, limit, wait);
  }
}
