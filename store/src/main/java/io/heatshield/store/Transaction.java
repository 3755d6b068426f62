package io.heatshield.store;

import org.jspecify.annotations.Nullable;

/**
 * An atomic change of one or several keys.
 *
 * <p>It must only use its view. It runs while its keys are held, so it must neither block nor call
 * the store, and it runs again if another writer of the same engine interfered. If it throws, the
 * caller gets the exception and nothing is changed.
 *
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface Transaction<T> {

  /** Returns the answer for the caller. */
  @Nullable T run(View view);
}
