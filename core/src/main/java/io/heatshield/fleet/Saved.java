package io.heatshield.fleet;

/**
 * The effect of one kind of action on a node, in all scopes, since the node started.
 *
 * @param action the action, for example {@code coalesce}
 * @param applied the number of times it was applied
 * @param saved the calls to the store that were saved
 * @param wouldHaveApplied the number of times it would have been applied, while observing
 * @param wouldHaveSaved the calls that would have been saved
 */
public record Saved(
    String action, long applied, long saved, long wouldHaveApplied, long wouldHaveSaved) {

  /** Returns the sum of two savings of the same action. */
  public Saved plus(Saved other) {
    return new Saved(
        action,
        applied + other.applied,
        saved + other.saved,
        wouldHaveApplied + other.wouldHaveApplied,
        wouldHaveSaved + other.wouldHaveSaved);
  }
}
