package io.heatshield.store;

import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a {@link Transaction}, to read and change.
 *
 * <p>Only keys that were named when the transaction was submitted may be used. Reads see the
 * changes that were made before. Not thread-safe, and not valid after the transaction has returned.
 */
public interface View {

  /** Returns the value of a key, or null if there is none or it has expired. */
  @Nullable Value get(byte[] key);

  /** Sets the value of a key; a value that has expired already deletes the key. */
  void put(byte[] key, Value value);

  /** Deletes a key, and returns whether it existed. */
  boolean delete(byte[] key);

  /** Returns the {@link GuardedStore#stamp} of a key at the start of the transaction. */
  long stamp(byte[] key);

  /** Returns the Unix time in milliseconds at the start of the transaction. */
  long nowMillis();
}
