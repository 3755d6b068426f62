package io.heatshield.insight.scope;

import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets one line per key and interval into the log.
 *
 * <p>It remembers at most {@value #MAX_KEYS} keys. While that many have been let through within the
 * interval, further keys are held back and counted: a flood of keys that turn hot costs neither
 * memory nor disk. Any thread may ask.
 */
public final class WarnGate {
  /** The most keys that are remembered. */
  static final int MAX_KEYS = 1024;

  private final Ticker ticker;
  private final long intervalNanos;
  // In the order of entry, so the first one is the oldest.
  private final Map<Object, Long> let = new LinkedHashMap<>();
  private long heldBack;

  /** Creates a gate that has let nothing through. */
  public WarnGate(Ticker ticker, Duration interval) {
    this.ticker = ticker;
    this.intervalNanos = interval.toNanos();
  }

  /** Returns whether a line about this key may be written now, and remembers that it was. */
  public synchronized boolean pass(Object key) {
    long now = ticker.nanos();
    Iterator<Long> oldest = let.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= intervalNanos) {
      oldest.remove();
    }
    if (let.containsKey(key) || let.size() >= MAX_KEYS) {
      heldBack++;
      return false;
    }
    let.put(key, now);
    return true;
  }

  /** Returns how many lines were held back. */
  public synchronized long heldBack() {
    return heldBack;
  }

  synchronized int size() {
    return let.size();
  }
}
