package io.heatshield.insight.scope;

import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the log to one line per key and interval. Thread-safe.
 *
 * <p>At most {@value #MAX_KEYS} keys are remembered. While that many keys were logged within the
 * interval, further keys are suppressed and counted, so a flood of hot keys fills neither memory
 * nor disk.
 */
public final class LogThrottle {
  /** The maximum number of remembered keys. */
  static final int MAX_KEYS = 1024;

  private final Ticker ticker;
  private final long intervalNanos;
  // In insertion order, so the oldest key is the first.
  private final Map<Object, Long> loggedAt = new LinkedHashMap<>();
  private long suppressed;

  /** Creates a throttle. */
  public LogThrottle(Ticker ticker, Duration interval) {
    this.ticker = ticker;
    this.intervalNanos = interval.toNanos();
  }

  /** Returns whether a line about a key may be logged now, and remembers the key if so. */
  public synchronized boolean tryAcquire(Object key) {
    long now = ticker.nanos();
    Iterator<Long> oldest = loggedAt.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= intervalNanos) {
      oldest.remove();
    }
    if (loggedAt.containsKey(key) || loggedAt.size() >= MAX_KEYS) {
      suppressed++;
      return false;
    }
    loggedAt.put(key, now);
    return true;
  }

  /** Returns the number of suppressed lines. */
  public synchronized long suppressed() {
    return suppressed;
  }

  synchronized int size() {
    return loggedAt.size();
  }
}
