package io.heatshield.contest;

/**
 * The answer to a touch: the key's entry, or why it has none.
 *
 * <p>A value that costs nothing: an entry is there already, and a refusal is a constant.
 */
public sealed interface Touched permits Tracked, Touched.Refusal {

  /** Returns whether the table holds the key, so that this is its {@link Tracked} entry. */
  default boolean isTracked() {
    return this instanceof Tracked;
  }

  /** Why a touch of a key that the table does not hold brought it no place. */
  enum Refusal implements Touched {
    /** The key scores too little against the entry it contested with. */
    LOST,
    /** Every entry that was looked at is held by its owner. */
    NO_CANDIDATE
  }
}
