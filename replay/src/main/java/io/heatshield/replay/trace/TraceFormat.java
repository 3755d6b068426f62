package io.heatshield.replay.trace;

/** The format of a trace. */
public enum TraceFormat {
  /** One key per line. */
  KEYS,
  /** Fields separated by commas, semicolons or tabs. */
  CSV,
  /** One JSON object per line. */
  JSON,
  /** The output of Redis MONITOR. */
  MONITOR,
  /** A common or combined access log. */
  ACCESS
}
