package io.heatshield.action;

/**
 * Learns to which keys the actions of a scope were applied.
 *
 * <p>Is called by the thread that applies the action, for every call: it must be fast and must not
 * throw.
 */
@FunctionalInterface
public interface KeyEffects {

  /**
   * Is called after an action was applied to a key.
   *
   * @param action the action's name
   * @param hash the key's hash
   * @param enforced whether the action took effect, or would have done so
   */
  void applied(String action, long hash, boolean enforced);
}
