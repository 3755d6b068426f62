package io.heatshield.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of log lines that are written after a program has printed its own output. Thread-safe.
 *
 * <p>No line is lost, and lines keep their order. Queueing ends with the thousandth line, and with
 * the first line that is logged more than five seconds after it began, so that a start that hangs
 * does not hide the reason.
 */
final class LogQueue {
  private static final int MAX_LINES = 1_000;
  private static final long MAX_NANOS = Duration.ofSeconds(5).toNanos();

  private final Ticker ticker;
  private @Nullable List<ILoggingEvent> lines;
  private long startNanos;

  LogQueue(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Queues every line from now on. */
  synchronized void hold() {
    if (lines == null) {
      lines = new ArrayList<>();
      startNanos = ticker.nanos();
    }
  }

  /** Queues the line, or writes it if lines are not queued. */
  synchronized void append(ILoggingEvent event, Consumer<ILoggingEvent> target) {
    if (lines == null) {
      target.accept(event);
      return;
    }
    event.prepareForDeferredProcessing();
    lines.add(event);
    if (lines.size() >= MAX_LINES || ticker.nanos() - startNanos > MAX_NANOS) {
      release(target);
    }
  }

  /** Writes the queued lines, and from now on every line directly. */
  synchronized void release(Consumer<ILoggingEvent> target) {
    List<ILoggingEvent> queued = lines;
    lines = null;
    if (queued != null) {
      queued.forEach(target);
    }
  }
}
