package io.heatshield.action;

/** The mode of an action: whether it is off, only counted, or in effect. */
public enum Mode {
  /** Does nothing and counts nothing. */
  OFF,
  /** Counts what {@link #ENFORCE} would have done. State and answers are as with {@link #OFF}. */
  OBSERVE,
  /** Acts, and counts the actions. */
  ENFORCE
}
