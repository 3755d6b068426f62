package io.heatshield.fleet;

/**
 * What one kind of action did on a node, in all scopes, since the node started.
 *
 * @param action what is done, for example {@code coalesce}
 * @param applied how often it acted
 * @param saved the calls to the store that this saved
 * @param wouldHaveApplied how often it would have acted, while observing
 * @param wouldHaveSaved the calls that this would have saved
 */
public record Saved(
    String action, long applied, long saved, long wouldHaveApplied, long wouldHaveSaved) {

  /** Returns the sum of this and another node's, or another scope's. */
  public Saved plus(Saved other) {
    return new Saved(
        action,
        applied + other.applied,
        saved + other.saved,
        wouldHaveApplied + other.wouldHaveApplied,
        wouldHaveSaved + other.wouldHaveSaved);
  }
}
