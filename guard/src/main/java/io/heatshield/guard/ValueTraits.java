package io.heatshield.guard;

/**
 * Size and expiry of the values that {@link HotValues} keeps.
 *
 * @param <V> the type of the values
 */
public interface ValueTraits<V> {

  /** Returns the memory in bytes that a value uses. */
  long weight(V value);

  /** Returns whether a value has expired. */
  boolean isExpired(V value);
}
