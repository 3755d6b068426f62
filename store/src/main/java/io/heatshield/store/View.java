package io.heatshield.store;

import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Transaction} sees of its keys and does to them.
 *
 * <p>Only keys that were named when the transaction was handed in may be used. What was put or
 * deleted before is seen at once. Used by one thread, and not after the transaction has returned.
 */
public interface View {

  /** Returns what a key holds, or null if that is nothing or has ended. */
  @Nullable Value get(byte[] key);

  /** Sets what a key holds; a value that has ended already deletes it. */
  void put(byte[] key, Value value);

  /** Deletes a key, and returns whether it held something. */
  boolean delete(byte[] key);

  /** Returns what {@link GuardedStore#stamp} would return for a key at the start. */
  long stamp(byte[] key);

  /** Returns the Unix time in milliseconds that ends are held against; it stands still. */
  long nowMillis();
}
