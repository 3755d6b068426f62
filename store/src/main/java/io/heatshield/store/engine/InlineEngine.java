package io.heatshield.store.engine;

import io.heatshield.hash.KeyHash;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine in the memory of the process: one key is read or set on the calling thread, without a
 * stage.
 *
 * <p>It {@linkplain #isLocal is local} and never {@linkplain #blocks blocks}.
 */
public interface InlineEngine extends Engine {

  /** Takes the function that keys are hashed with; told by its store, before any other call. */
  void hashBy(KeyHash hash);

  /**
   * Returns what a key holds, even if that has ended, or null.
   *
   * @param hash the key's
   */
  @Nullable Value find(byte[] key, long hash);

  /**
   * Looks at keys that will be asked for in a moment, so that memory is waited for once and not
   * once for each; returns how many seem to be there. Nothing depends on the answer.
   *
   * @param hashes the keys'
   * @param count how many of the keys to look at, from the first
   */
  int fetch(byte[][] keys, long[] hashes, int count);

  /**
   * Sets what a key holds to plain bytes without an end.
   *
   * @param hash the key's
   * @param isNew told the hash, if the key held nothing, ended or not, before it is there and after
   *     nothing can go wrong any more
   * @throws StoreException if that cannot be; nothing is changed then, and nobody told
   */
  void put(byte[] key, long hash, byte[] bytes, LongConsumer isNew);
}
