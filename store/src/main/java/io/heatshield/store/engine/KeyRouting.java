package io.heatshield.store.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capability of an engine to store keys that are written often apart from the others.
 *
 * <p>The engine asks {@link #isHot} for each change of a batch, and moves the key if necessary.
 */
public interface KeyRouting {

  /** Returns how many times a key was moved to the frequently written keys or back. */
  long moves();

  /** Returns some of the keys that are stored apart because they were written often. */
  List<byte[]> routedKeys(int max);

  /** Moves a key back to the other keys. The caller prevents writes of the key meanwhile. */
  void unroute(byte[] key);

  /** Returns whether the key of a change is written often. */
  static boolean isHot(Batch.Change change) {
    return change.isHot();
  }

  /** Returns a change of a key that is written often or not. */
  static Batch.Change change(byte[] key, @Nullable Value after, boolean hot) {
    return Batch.Change.of(key, after).hot(hot);
  }
}
