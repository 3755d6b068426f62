package io.heatshield.config.settings;

/** The log. */
public record LogSettings(
    @Setting(
            value = "info",
            live = true,
            env = "LOG_LEVEL",
            doc = "The minimum level that is logged.")
        Level level,
    @Setting(
            value = "auto",
            env = "LOG_FORMAT",
            doc = "The format of log lines; auto is text on a terminal and JSON otherwise.")
        Format format) {

  /** The minimum level that is logged. */
  public enum Level {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /** The format of log lines; {@link #AUTO} is text on a terminal and JSON otherwise. */
  public enum Format {
    AUTO,
    TEXT,
    JSON
  }
}
