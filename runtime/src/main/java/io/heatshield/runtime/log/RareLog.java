package io.heatshield.runtime.log;

import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/** A warning that clients can provoke, logged at most once in 10 seconds. Thread-safe. */
public final class RareLog {
  private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

  private final Logger log;
  private final Ticker ticker;
  private final AtomicLong next;
  private final LongAdder dropped = new LongAdder();

  /** Creates a limit for the warnings of a logger. */
  public RareLog(Logger log, Ticker ticker) {
    this.log = log;
    this.ticker = ticker;
    next = new AtomicLong(ticker.nanos());
  }

  /** Logs the line, or counts it if the last one was less than 10 seconds ago. */
  public void warn(String line) {
    long now = ticker.nanos();
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS)) {
      log.warn("{} ({} more since the last such line)", line, dropped.sumThenReset());
    } else {
      dropped.increment();
    }
  }
}
