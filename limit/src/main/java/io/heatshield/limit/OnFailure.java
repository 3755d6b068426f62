package io.heatshield.limit;

import java.util.Locale;

/** The policies for counts when the shared counters do not answer. */
public enum OnFailure {
  /** The caller passes; a limit of 0 still refuses everything. */
  OPEN,
  /** The caller is refused. */
  CLOSED,
  /**
   * The caller is counted in this process only. In one window at most one limit passes through the
   * shared counters, and one more in each process.
   */
  LOCAL;

  /** Returns the name in the configuration. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
