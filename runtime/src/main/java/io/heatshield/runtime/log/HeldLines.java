package io.heatshield.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Log lines that wait in memory until a program has printed what must come first.
 *
 * <p>No line is lost and none overtakes another. A hold ends by itself at its thousandth line, and
 * at the first line that is logged more than five seconds after its beginning: a start that hangs
 * must not hide why. Any thread may call any method.
 */
final class HeldLines {
  private static final int MAX_LINES = 1_000;
  private static final long MAX_NANOS = Duration.ofSeconds(5).toNanos();

  private final Ticker ticker;
  private @Nullable List<ILoggingEvent> held;
  private long begun;

  HeldLines(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Holds every line from now on. */
  synchronized void hold() {
    if (held == null) {
      held = new ArrayList<>();
      begun = ticker.nanos();
    }
  }

  /** Holds the line, or writes it if nothing is held. */
  synchronized void append(ILoggingEvent event, Consumer<ILoggingEvent> target) {
    if (held == null) {
      target.accept(event);
      return;
    }
    event.prepareForDeferredProcessing();
    held.add(event);
    if (held.size() >= MAX_LINES || ticker.nanos() - begun > MAX_NANOS) {
      release(target);
    }
  }

  /** Writes what was held, and holds nothing from now on. */
  synchronized void release(Consumer<ILoggingEvent> target) {
    List<ILoggingEvent> lines = held;
    held = null;
    if (lines != null) {
      lines.forEach(target);
    }
  }
}
