package io.heatshield.action;

/**
 * Receives the keys to which the actions of a scope were applied.
 *
 * <p>It is called for every application, by the thread that applies the action, so it must be fast
 * and must not throw.
 */
@FunctionalInterface
public interface KeyEffects {

  /**
   * Called after an action was applied to a key.
   *
   * @param action the action's name
   * @param hash the key's hash
   * @param enforced whether the action took effect; false if it would have
   */
  void applied(String action, long hash, boolean enforced);
}
