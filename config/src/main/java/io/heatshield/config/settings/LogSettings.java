package io.heatshield.config.settings;

/** The log. */
public record LogSettings(
    @Setting(
            value = "info",
            live = true,
            env = "LOG_LEVEL",
            doc = "The least level that is logged.")
        Level level,
    @Setting(
            value = "auto",
            env = "LOG_FORMAT",
            doc = "The form of a log line; auto is text on a terminal and JSON otherwise.")
        Format format) {

  /** The least level that is logged. */
  public enum Level {
    /** Everything. */
    TRACE,
    /** What a developer of Heatshield looks for. */
    DEBUG,
    /** What an operator wants to know. */
    INFO,
    /** What may need a hand. */
    WARN,
    /** What went wrong. */
    ERROR
  }

  /** The form of a log line. */
  public enum Format {
    /** Text on a terminal, JSON otherwise. */
    AUTO,
    /** Aligned text. */
    TEXT,
    /** One JSON object per line. */
    JSON
  }
}
