package io.heatshield.config.settings;

/** The writers of the protected data. */
public enum Writers {
  /** Only clients of Heatshield. */
  EXCLUSIVE,
  /** Other programs, too. */
  SHARED
}
