package io.heatshield.contest;

/**
 * The result of a touch: the key's entry, or the reason why the key has none.
 *
 * <p>A result is never allocated: it is the existing entry or a constant.
 */
public sealed interface TouchResult permits Tracked, TouchResult.Refusal {

  /** Returns whether the table has an entry for the key; this is then that {@link Tracked}. */
  default boolean isTracked() {
    return this instanceof Tracked;
  }

  /** The reasons why a key got no slot. */
  enum Refusal implements TouchResult {
    /** The key's score is too low against that of the entry it contested with. */
    LOST,
    /** Every entry that the contest examined is held by its owner. */
    NO_CANDIDATE
  }
}
