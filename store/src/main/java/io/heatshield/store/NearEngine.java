package io.heatshield.store;

import org.jspecify.annotations.Nullable;

/**
 * An engine that has what it holds at hand, so that one key is read or set without a stage between.
 *
 * <p>It {@linkplain #isLocal is local} and never {@linkplain #blocks blocks}.
 */
public interface NearEngine extends Engine {

  /** Returns what a key holds, even if that has ended, or null. */
  @Nullable Value find(byte[] key);

  /** Returns whether a key holds something, ended or not. */
  boolean contains(byte[] key);

  /**
   * Looks at keys that will be asked for in a moment, so that memory is waited for once and not
   * once for each; returns how many seem to be there. Nothing depends on the answer.
   *
   * @param count how many of the keys to look at, from the first
   */
  int fetch(byte[][] keys, int count);

  /**
   * Sets what a key holds.
   *
   * @throws StoreException if that cannot be; nothing is changed then
   */
  void put(byte[] key, Value value);
}
