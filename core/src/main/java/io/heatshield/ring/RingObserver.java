package io.heatshield.ring;

/**
 * Sees what happens to the keys of a ring.
 *
 * <p>It is called by the thread that touches, after the fact and under no lock. What it throws
 * reaches the caller of the ring. A ring without an observer pays nothing for it; with one, every
 * call allocates a {@link KeyCount}.
 */
public interface RingObserver {

  /** A key was touched and has this count now. */
  default void touched(KeyCount key) {}

  /** A key was clamped with this answer. Keys that the ring does not hold are not reported. */
  default void clamped(KeyCount key, Clamp answer) {}

  /** A key's count has decayed to this one, from all generations together losing {@code lost}. */
  default void decayed(KeyCount key, long lost) {}
}
