package io.heatshield.ring;

import io.heatshield.action.Admission;

/**
 * A listener for the touches of a ring.
 *
 * <p>The thread that touches a key calls it, after the count has changed and without holding a
 * lock. Exceptions are counted in {@link RingStats#listenerFaults} and never reach the caller of
 * the ring. With a listener, every touch allocates a {@link KeyCount}; without one, there is no
 * cost.
 */
public interface RingListener {

  /** Called after a touch, with the new count of the key. */
  default void touched(KeyCount key) {}

  /**
   * Called after a limited call, with its result; not called for keys that the ring does not hold.
   */
  default void tried(KeyCount key, Admission admission) {}
}
