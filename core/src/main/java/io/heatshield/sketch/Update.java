package io.heatshield.sketch;

/** The kinds of update: which counters of its key a touch raises. */
public enum Update {
  /**
   * Raises only the counters that are below the key's new estimate. With equal memory the error is
   * at most a tenth of the additive one.
   */
  CONSERVATIVE,

  /** Raises every counter of the key, so each is the exact sum of the touches of its keys. */
  ADDITIVE
}
