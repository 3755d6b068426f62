package io.heatshield.config;

/** Who writes to what is protected. */
public enum Writers {
  /** Only clients of Heatshield. */
  EXCLUSIVE,
  /** Others too. */
  SHARED
}
