package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import java.util.Collection;

/**
 * The view of a table of {@link HeavyHitters} for callers that have already computed the hashes of
 * keys, with the function that they passed to {@link HeavyHitters#hashed}.
 */
public final class HashedHeavyHitters {
  private final HeavyHitters table;

  HashedHeavyHitters(HeavyHitters table) {
    this.table = table;
  }

  /** Counts a touch; see {@link HeavyHitters#touch(byte[], long, Collection)}. */
  public Decision touch(
      long hash, byte[] key, long weight, Collection<? extends CharSequence> targets) {
    return table.now().touch(KeyForm.BYTES, key, hash, weight, targets);
  }

  /** Counts a touch; see {@link HeavyHitters#touch(byte[], long, Collection)}. */
  public Decision touch(
      long hash, CharSequence key, long weight, Collection<? extends CharSequence> targets) {
    return table.now().touch(KeyForm.TEXT, key, hash, weight, targets);
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(long hash, byte[] key) {
    return table.now().check(KeyForm.BYTES, key, hash);
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(long hash, CharSequence key) {
    return table.now().check(KeyForm.TEXT, key, hash);
  }
}
