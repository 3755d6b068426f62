package io.heatshield.runtime.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.heatshield.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Limits the lines that each logger writes to an appender, and counts the lines that it drops.
 *
 * <p>A logger of this project may write a burst of 1,000 lines and 100 per second after that: lines
 * that clients can provoke are limited where they are logged. A logger of a library may write a
 * burst of 10 lines and one per second, because clients can make libraries log. Before the next
 * line of such a logger, the number of dropped lines is logged.
 */
final class ThrottledAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final String OWN = "io.heatshield.";
  private static final int MAX_LOGGERS = 4096;
  private static final String OTHERS = "";

  private final LoggerContext loggers;
  private final Appender<ILoggingEvent> target;
  private final Ticker ticker;
  private final Map<String, Throttle> throttles = new ConcurrentHashMap<>();

  ThrottledAppender(LoggerContext loggers, Appender<ILoggingEvent> target, Ticker ticker) {
    this.loggers = loggers;
    this.target = target;
    this.ticker = ticker;
    setContext(loggers);
  }

  @Override
  public void stop() {
    super.stop();
    target.stop();
  }

  @Override
  protected void append(ILoggingEvent event) {
    String logger = event.getLoggerName();
    Throttle throttle = throttles.get(logger);
    if (throttle == null) {
      String name = throttles.size() < MAX_LOGGERS ? logger : OTHERS;
      throttle = throttles.computeIfAbsent(name, this::newThrottle);
    }
    long dropped = throttle.admit(ticker.nanos());
    if (dropped > 0) {
      target.doAppend(
          new LoggingEvent(
              ThrottledAppender.class.getName(),
              loggers.getLogger(logger),
              Level.WARN,
              "{} more lines of {} were dropped: it logs too much",
              null,
              new Object[] {dropped, logger}));
    }
    if (dropped >= 0) {
      target.doAppend(event);
    }
  }

  private Throttle newThrottle(String logger) {
    return logger.startsWith(OWN)
        ? new Throttle(1_000, TimeUnit.MILLISECONDS.toNanos(10), ticker.nanos())
        : new Throttle(10, TimeUnit.SECONDS.toNanos(1), ticker.nanos());
  }

  /** A token bucket that counts what it rejected. */
  private static final class Throttle {
    private final long burst;
    private final long pauseNanos;
    private long tokens;
    private long filledNanos;
    private long dropped;

    Throttle(long burst, long pauseNanos, long nowNanos) {
      this.burst = burst;
      this.pauseNanos = pauseNanos;
      this.tokens = burst;
      this.filledNanos = nowNanos;
    }

    /** Returns the number of lines dropped before this one, or -1 if it must be dropped too. */
    synchronized long admit(long nowNanos) {
      long earned = Math.max(0, (nowNanos - filledNanos) / pauseNanos);
      if (tokens + earned >= burst) {
        tokens = burst;
        filledNanos = nowNanos;
      } else {
        tokens += earned;
        filledNanos += earned * pauseNanos;
      }
      if (tokens == 0) {
        dropped++;
        return -1;
      }
      tokens--;
      long before = dropped;
      dropped = 0;
      return before;
    }
  }
}
