package io.heatshield.contest;

/** The result of a request to block a key. */
enum BlockOutcome {
  /** The key was not blocked before, and is now. */
  BLOCKED,
  /** The key was blocked already, and its block now ends later. */
  EXTENDED,
  /** The key was blocked for at least as long already; nothing has changed. */
  KEPT,
  /** The key is not blocked: every slot is used by an active block. */
  FULL
}
