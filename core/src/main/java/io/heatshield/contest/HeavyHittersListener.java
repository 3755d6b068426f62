package io.heatshield.contest;

/**
 * A listener for the rules and evictions of a table of {@link HeavyHitters}.
 *
 * <p>The thread whose call caused an event calls it, without holding a lock. Exceptions are counted
 * in {@link HeavyHittersStats#listenerFaults} and never reach the caller of the table.
 */
public interface HeavyHittersListener {

  /**
   * Called after each touch that met a rule in {@code ENFORCE} or {@code OBSERVE}, and after its
   * key was blocked. Not called for touches of blocked keys, which are not counted.
   */
  default void exceeded(RuleEvent event) {}

  /**
   * Called after an entry was evicted by a new key or because the table was made smaller.
   *
   * @param key the evicted key with its score at that time
   */
  default void evicted(KeyScore key) {}
}
