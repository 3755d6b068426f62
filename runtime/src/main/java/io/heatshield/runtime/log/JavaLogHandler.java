package io.heatshield.runtime.log;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * Sends the records of {@code java.util.logging} to SLF4J, so that libraries that use it, such as
 * gRPC and Guava, write to the same log.
 */
final class JavaLogHandler extends Handler {
  private static final String ANONYMOUS = "java.util.logging";

  private final SimpleFormatter formatter = new SimpleFormatter();

  private JavaLogHandler() {}

  /** Removes every other handler and installs this one. */
  static void install() {
    LogManager.getLogManager().reset();
    Logger.getLogger("").addHandler(new JavaLogHandler());
  }

  /** Sets the lowest level that records need to reach SLF4J, which then applies its own. */
  static void level(org.slf4j.event.Level level) {
    Logger.getLogger("")
        .setLevel(
            switch (level) {
              case ERROR -> Level.SEVERE;
              case WARN -> Level.WARNING;
              case INFO -> Level.INFO;
              case DEBUG -> Level.FINE;
              case TRACE -> Level.ALL;
            });
  }

  @Override
  public void publish(LogRecord log) {
    String name = log.getLoggerName();
    LoggerFactory.getLogger(name == null || name.isEmpty() ? ANONYMOUS : name)
        .atLevel(levelOf(log.getLevel().intValue()))
        .setCause(log.getThrown())
        .log(String.valueOf(formatter.formatMessage(log)));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  private static org.slf4j.event.Level levelOf(int value) {
    if (value >= Level.SEVERE.intValue()) {
      return org.slf4j.event.Level.ERROR;
    }
    if (value >= Level.WARNING.intValue()) {
      return org.slf4j.event.Level.WARN;
    }
    if (value >= Level.INFO.intValue()) {
      return org.slf4j.event.Level.INFO;
    }
    return value >= Level.FINE.intValue()
        ? org.slf4j.event.Level.DEBUG
        : org.slf4j.event.Level.TRACE;
  }
}
