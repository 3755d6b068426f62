package io.heatshield.server.log;

/** How a line of the log is written. */
public enum LogFormat {
  /** Plain where the log goes to a terminal, JSON otherwise. */
  AUTO,
  /** For people. */
  PLAIN,
  /** One JSON object a line. */
  JSON;

  /** Returns what this format means here: plain or JSON, never {@link #AUTO}. */
  LogFormat resolve(boolean terminal) {
    if (this == AUTO) {
      return terminal ? PLAIN : JSON;
    }
    return this;
  }
}
