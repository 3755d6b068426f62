package io.heatshield.replay.trace;

/** What the lines of a trace are. */
public enum TraceFormat {
  /** One key a line. */
  KEYS,
  /** Fields between commas, semicolons or tabs. */
  CSV,
  /** A JSON object a line. */
  JSON,
  /** What Redis MONITOR prints. */
  MONITOR,
  /** A common or combined access log. */
  ACCESS
}
