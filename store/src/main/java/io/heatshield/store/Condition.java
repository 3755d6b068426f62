package io.heatshield.store;

/** When a put takes place. */
public enum Condition {
  /** Whatever was there. */
  ALWAYS,
  /** If the key holds nothing. */
  IF_ABSENT,
  /** If the key holds something. */
  IF_PRESENT
}
