package io.heatshield.sketch;

/** How a touch raises the counters of its key. */
public enum Update {
  /**
   * Raises only the counters that stand below the key's new estimate: at equal memory the error is
   * a tenth of the additive one and less.
   */
  CONSERVATIVE,

  /** Raises every counter of the key, so that each is the exact sum of the touches that meet it. */
  ADDITIVE
}
