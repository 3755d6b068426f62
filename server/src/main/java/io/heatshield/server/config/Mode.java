package io.heatshield.server.config;

/** Whether an action is left out, only counted, or carried out. */
public enum Mode {
  /** Does nothing. */
  OFF,
  /** Counts what would have happened and changes nothing. */
  OBSERVE,
  /** Acts. */
  ENFORCE
}
