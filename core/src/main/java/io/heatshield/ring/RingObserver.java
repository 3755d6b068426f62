package io.heatshield.ring;

/**
 * A listener for what happens to the keys of a ring.
 *
 * <p>The thread that touches a key calls it, after the count has changed and without holding a
 * lock. An exception that it throws reaches the caller of the ring. With an observer, every call
 * allocates a {@link KeyCount}; without one, there is no cost.
 */
public interface RingObserver {

  /** Called after a touch, with the new count of the key. */
  default void touched(KeyCount key) {}

  /** Called after a clamp, with its result; not called for keys that the ring does not hold. */
  default void clamped(KeyCount key, Clamp answer) {}

  /**
   * Called after the count of a key has decayed.
   *
   * @param key the key with its new count
   * @param lost the number of touches that decayed, in both generations together
   */
  default void decayed(KeyCount key, long lost) {}
}
