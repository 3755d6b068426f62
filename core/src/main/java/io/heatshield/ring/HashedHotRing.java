package io.heatshield.ring;

import io.heatshield.action.Admission;
import io.heatshield.key.KeyForm;
import java.time.Duration;

/**
 * The view of a ring, or of one of its scopes, for callers that have already computed the hashes of
 * keys, with the function that they passed to {@link KeyCounts#hashed}. No method allocates memory
 * for a key that the ring holds.
 */
public final class HashedHotRing {
  private final EntryTable table;
  private final byte scope;

  HashedHotRing(EntryTable table, byte scope) {
    this.table = table;
    this.scope = scope;
  }

  /** Counts one touch; see {@link KeyCounts#touch(byte[])}. */
  public long touch(long hash, byte[] key) {
    return table.touch(KeyForm.BYTES, scope, key, hash, table.second.hash(key));
  }

  /** Returns the count of a key, or 0 if the ring does not hold it; counts nothing. */
  public long count(long hash, byte[] key) {
    return table.count(scope, hash, table.second.hash(key));
  }

  /**
   * Counts one touch if the key's count is below a limit, and returns whether the call is admitted;
   * see {@link KeyCounts#tryTouch(byte[], long)}.
   */
  @CheckReturnValue
  public boolean tryTouch(long hash, byte[] key, long limit) {
    KeyCounts.checkLimit(limit);
    return table.tryTouch(KeyForm.BYTES, scope, key, hash, table.second.hash(key), limit) > 0;
  }

  /**
   * Returns the time until a call that was refused is admitted, if no other is counted before:
   * {@link Admission#NEVER} if waiting does not help.
   */
  public Duration retryAfter(long hash, byte[] key, long limit) {
    KeyCounts.checkLimit(limit);
    return Duration.ofNanos(table.waitNanos(scope, hash, table.second.hash(key), limit));
  }

  /**
   * Prefetches the entries of keys that will be counted next into the processor's caches. The loads
   * of different keys overlap. Changes nothing.
   *
   * @param count the number of hashes to use, from the first
   * @return how many of the keys the ring seems to hold
   */
  public int prefetch(long[] hashes, int count) {
    return table.prefetch(scope, hashes, count);
  }
}
