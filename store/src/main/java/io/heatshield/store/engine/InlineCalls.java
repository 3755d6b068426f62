package io.heatshield.store.engine;

import io.heatshield.hash.KeyHash;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The capability of an engine in the memory of the process to read and set one key without a stage.
 *
 * <p>Such an engine never {@linkplain Engine#blocks blocks}.
 */
public interface InlineCalls {

  /** Sets the function that keys are hashed with. The store calls this before any other method. */
  void hashBy(KeyHash hash);

  /**
   * Returns the value of a key, even if it has expired, or null.
   *
   * @param hash the key's hash
   */
  @Nullable Value find(byte[] key, long hash);

  /**
   * Looks up keys that will be read or set next, so that their memory is fetched in parallel and
   * not one after another; returns how many seem to exist. Nothing depends on the result.
   *
   * @param hashes the keys' hashes
   * @param count how many of the keys to look up, from the first
   */
  int fetch(byte[][] keys, long[] hashes, int count);

  /**
   * Sets the value of a key to plain bytes that do not expire.
   *
   * @param hash the key's hash
   * @param isNew called with the hash if the key had no value, not even an expired one; called
   *     before the key is visible and after the last step that can fail
   * @throws StoreException if the engine is full; nothing is changed then, and isNew is not called
   */
  void put(byte[] key, long hash, byte[] bytes, LongConsumer isNew);
}
