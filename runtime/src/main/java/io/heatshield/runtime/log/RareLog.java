package io.heatshield.runtime.log;

import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/** A log line that strangers can provoke, and that is therefore written at most once in a while. */
public final class RareLog {
  private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

  private final Logger log;
  private final Ticker ticker;
  private final AtomicLong next;
  private final LongAdder silent = new LongAdder();

  /** Creates a line of one logger. */
  public RareLog(Logger log, Ticker ticker) {
    this.log = log;
    this.ticker = ticker;
    next = new AtomicLong(ticker.nanos());
  }

  /** Writes the line, or counts it if one was written a moment ago. */
  public void warn(String line) {
    long now = ticker.nanos();
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS)) {
      log.warn("{} ({} more since the last such line)", line, silent.sumThenReset());
    } else {
      silent.increment();
    }
  }
}
