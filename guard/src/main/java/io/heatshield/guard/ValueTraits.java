package io.heatshield.guard;

/**
 * What {@link HotValues} must know about the values that it keeps.
 *
 * @param <V> the type of the values
 */
public interface ValueTraits<V> {

  /** Returns the memory in bytes that a value takes. */
  long weight(V value);

  /** Returns whether a value's own time to live has ended. */
  boolean isExpired(V value);
}
