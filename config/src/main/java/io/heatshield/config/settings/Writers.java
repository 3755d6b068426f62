package io.heatshield.config.settings;

/** Who writes to what is protected. */
public enum Writers {
  /** Only clients of Heatshield. */
  EXCLUSIVE,
  /** Others too. */
  SHARED
}
