package io.heatshield.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import io.heatshield.config.settings.LogSettings.Format;
import io.heatshield.key.KeyText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The layout of every line that the process logs.
 *
 * <p>Every message stays on one line and has only visible characters: others are written as {@code
 * \}{@code uXXXX}. Keys are already escaped by {@link KeyText} when they are added to a message;
 * this is a second protection, for example for the texts of exceptions.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
  private static final String PACKAGE = "io.heatshield.";
  private static final int MAX_CHARS = 16 * 1024;
  private static final int MAX_FRAMES = 24;
  private static final int MAX_CAUSES = 4;

  private final Format format;
  private final DateTimeFormatter clockTime =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

  LogLine(Format format) {
    this.format = format;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder(160);
    if (format == Format.JSON) {
      json(line, event);
    } else {
      plain(line, event);
    }
    return line.append('\n').toString();
  }

  private void plain(StringBuilder line, ILoggingEvent event) {
    line.append(clockTime.format(Instant.ofEpochMilli(event.getTimeStamp())));
    line.append(' ').append(event.getLevel());
    line.append(" ".repeat(Math.max(1, 6 - event.getLevel().toString().length())));
    append(line, event.getFormattedMessage(), false);
    IThrowableProxy cause = event.getThrowableProxy();
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      line.append("\n    ").append(depth == 0 ? "" : "caused by ");
      append(line, describe(cause), false);
      StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
      for (int i = 0; i < Math.min(frames.length, MAX_FRAMES); i++) {
        line.append("\n        ");
        append(line, frames[i].getSTEAsString(), false);
      }
      cause = cause.getCause();
    }
  }

  private static void json(StringBuilder line, ILoggingEvent event) {
    line.append("{\"time\":\"").append(Instant.ofEpochMilli(event.getTimeStamp()));
    line.append("\",\"level\":\"").append(event.getLevel());
    line.append("\",\"logger\":\"");
    append(line, shortName(event.getLoggerName()), true);
    line.append("\",\"thread\":\"");
    append(line, event.getThreadName(), true);
    line.append("\",\"message\":\"");
    append(line, event.getFormattedMessage(), true);
    IThrowableProxy cause = event.getThrowableProxy();
    if (cause != null) {
      line.append("\",\"error\":\"");
      append(line, describe(cause), true);
      line.append("\",\"stack\":\"");
      StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
      for (int i = 0; i < Math.min(frames.length, MAX_FRAMES); i++) {
        line.append(i == 0 ? "" : "\\n");
        append(line, frames[i].getSTEAsString(), true);
      }
      if (cause.getCause() != null) {
        line.append("\",\"cause\":\"");
        append(line, describe(cause.getCause()), true);
      }
    }
    line.append("\"}");
  }

  private static String describe(IThrowableProxy thrown) {
    return thrown.getMessage() == null
        ? thrown.getClassName()
        : thrown.getClassName() + ": " + thrown.getMessage();
  }

  private static String shortName(String logger) {
    return logger.startsWith(PACKAGE) ? logger.substring(PACKAGE.length()) : logger;
  }

  private static void append(StringBuilder line, String text, boolean json) {
    int end = Math.min(text.length(), MAX_CHARS);
    int i = 0;
    while (i < end) {
      int codePoint = text.codePointAt(i);
      int width = Character.charCount(codePoint);
      if (json && (codePoint == '"' || codePoint == '\\')) {
        line.append('\\').append((char) codePoint);
      } else if (KeyText.isVisible(codePoint)) {
        line.appendCodePoint(codePoint);
      } else {
        for (int k = i; k < i + width; k++) {
          line.append(json ? "\\\\u" : "\\u").append(HexFormat.of().toHexDigits(text.charAt(k)));
        }
      }
      i += width;
    }
    if (end < text.length()) {
      line.append("... (").append(text.length()).append(" characters)");
    }
  }
}
