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
 * Configures the log: to standard error, at level info, as text on a terminal and as JSON
 * elsewhere.
 *
 * <p>Logback loads this class as a service and reads no configuration file. {@link #apply} sets
 * {@code log.level} and {@code log.format} when they are known and when they change.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String TERMINAL_PROPERTY = "heatshield.stderr.tty";

  private static final LogQueue QUEUE = new LogQueue(Ticker.system());

  /** Creates the configurator; called by Logback. */
  public Logging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    start();
    install(context, Level.INFO, Format.AUTO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Sends the records of {@code java.util.logging} and uncaught exceptions to this log. Called when
   * Logback creates the first logger; a program that may have no logger calls it first.
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
   * Queues log lines until {@link #release} if the log is written to a terminal, so that the
   * program's own start message is printed first.
   */
  public static void hold() {
    if (toTerminal()) {
      QUEUE.hold();
    }
  }

  /** Writes the queued lines, and from now on every line directly. */
  public static void release() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      QUEUE.release(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)::callAppenders);
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
    var queueing = new QueueingAppender(context, throttled, QUEUE);
    queueing.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(queueing);
    root.setLevel(level);
    JavaLogHandler.level(org.slf4j.event.Level.valueOf(level.toString()));
    // At debug, Netty only explains its choice of native libraries and buffers.
    context.getLogger("io.netty").setLevel(Level.WARN);
  }

  /** Returns whether standard error is a terminal: from the launcher, or else from Linux. */
  private static boolean toTerminal() {
    String property = System.getProperty(TERMINAL_PROPERTY);
    if (property != null) {
      return Boolean.parseBoolean(property);
    }
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
