package io.heatshield.runtime.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.heatshield.config.settings.LogSettings;
import io.heatshield.config.settings.LogSettings.Format;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * The set-up of the log: to standard error, at level info, in the format that suits where it goes.
 *
 * <p>Logback finds this class as a service, so that no configuration file is read and none is
 * needed. The settings {@code log.level} and {@code log.format} are applied by {@link #apply} once
 * they are known, and again when they change.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String TERMINAL_PROPERTY = "heatshield.stderr.tty";

  private static final HeldLines HELD = new HeldLines(Ticker.system());

  /** Creates the configurator; called by Logback. */
  public Logging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    start();
    install(context, Level.INFO, Format.AUTO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Makes this the only log of the process: records of {@code java.util.logging} and exceptions
   * that no thread catches are written to it. Logback calls it with the first logger; a program
   * that may have none calls it first.
   */
  public static void start() {
    JavaLogHandler.install();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) ->
            LoggerFactory.getLogger(Logging.class)
                .error("thread {} ended by an uncaught exception", thread.getName(), thrown));
  }

  /** Sets level and format from now on. */
  public static void apply(LogSettings settings) {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext context) {
      install(context, Level.toLevel(settings.level().name()), settings.format());
    }
  }

  /**
   * Keeps the lines of a log that goes to a terminal in memory until {@link #release}, so that
   * people read first what a program prints when it has started. Any other log is written at once.
   */
  public static void hold() {
    if (toTerminal()) {
      HELD.hold();
    }
  }

  /** Writes the lines that were held, and from now on every line at once. */
  public static void release() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      HELD.release(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)::callAppenders);
    }
  }

  private static void install(LoggerContext context, Level level, Format format) {
    Format resolved = format != Format.AUTO ? format : toTerminal() ? Format.TEXT : Format.JSON;
    var layout = new LogLine(resolved);
    layout.setContext(context);
    layout.start();
    var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    var throttled = new ThrottledAppender(context, appender, Ticker.system());
    throttled.start();
    var holding = new HoldingAppender(context, throttled, HELD);
    holding.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(holding);
    root.setLevel(level);
    JavaLogHandler.level(org.slf4j.event.Level.valueOf(level.toString()));
    // Netty explains its choice of natives and buffers at debug; nobody on call needs that.
    context.getLogger("io.netty").setLevel(Level.WARN);
  }

  /** The launcher says whether standard error is a terminal; without it, Linux can be asked. */
  private static boolean toTerminal() {
    String told = System.getProperty(TERMINAL_PROPERTY);
    if (told != null) {
      return Boolean.parseBoolean(told);
    }
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
