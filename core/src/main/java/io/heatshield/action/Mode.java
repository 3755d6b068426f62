package io.heatshield.action;

/** The mode of an action. */
public enum Mode {
  /** Does nothing and counts nothing. */
  OFF,
  /** Counts what would have been done; state and answers are exactly as with {@link #OFF}. */
  OBSERVE,
  /** Acts, and counts what was done. */
  ENFORCE
}
