package io.heatshield.store;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that has what it holds at hand, so that one key is read or set without a stage between.
 *
 * <p>It {@linkplain #isLocal is local} and never {@linkplain #blocks blocks}.
 */
public interface NearEngine extends Engine {

  /** Returns what a key holds, even if that has ended, or null. */
  @Nullable Value find(byte[] key);

  /**
   * Looks at keys that will be asked for in a moment, so that memory is waited for once and not
   * once for each; returns how many seem to be there. Nothing depends on the answer.
   *
   * @param count how many of the keys to look at, from the first
   */
  int fetch(byte[][] keys, int count);

  /** Sets what a key holds, as {@link #put(byte[], Value, LongConsumer, long)} does. */
  default void put(byte[] key, Value value) {
    put(key, value, none -> {}, 0);
  }

  /**
   * Sets what a key holds.
   *
   * @param isNew told the token, if the key held nothing, ended or not, before it is there and
   *     after nothing can go wrong any more
   * @throws StoreException if that cannot be; nothing is changed then, and nobody told
   */
  void put(byte[] key, Value value, LongConsumer isNew, long token);
}
