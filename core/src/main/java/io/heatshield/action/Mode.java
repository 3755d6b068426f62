package io.heatshield.action;

/** How far an action goes. */
public enum Mode {
  /** Does nothing and counts nothing. */
  OFF,
  /** Counts what would have been done; state and answers stay exactly as with {@link #OFF}. */
  OBSERVE,
  /** Acts, and counts what was done. */
  ENFORCE
}
