package io.heatshield.contest;

/**
 * The answer to a touch: the key's entry, or why it has none.
 *
 * <p>A value that costs nothing: an entry is there already, and a refusal is a constant.
 */
public sealed interface Touched permits Tracked, Refusal {

  /** Returns whether the table holds the key, so that this is its {@link Tracked} entry. */
  default boolean isTracked() {
    return this instanceof Tracked;
  }
}
