package io.heatshield.contest;

/** What became of a wish to block a key. */
public enum BlockOutcome {
  /** The key was free and is blocked now. */
  BLOCKED,
  /** The key was blocked and stays so for longer. */
  EXTENDED,
  /** The key was blocked for at least as long already. */
  KEPT,
  /** Every place is taken by a block that holds: the key is not blocked. */
  FULL
}
