package io.heatshield.store;

import org.jspecify.annotations.Nullable;

/**
 * A change of one or several keys that takes place as a whole or not at all.
 *
 * <p>It must do nothing but look at its view and write to it: it runs while its keys are held, so
 * it must neither block nor call the store, and it runs again if another writer of the same engine
 * came in between. What it throws reaches the caller, and nothing is changed.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface Transaction<T> {

  /** Returns the answer for the caller. */
  @Nullable T run(View view);
}
