package io.heatshield.store;

/** The condition of a put. */
public enum Condition {
  /** Always. */
  ALWAYS,
  /** If the key does not exist. */
  IF_ABSENT,
  /** If the key exists. */
  IF_PRESENT
}
