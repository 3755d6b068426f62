package io.heatshield.redis;

import io.heatshield.time.Ticker;

/**
 * Keeps commands from a server that does not answer, until a probe finds that it does.
 *
 * <p>It opens after a number of failures in a row, or at once when no connection can be made.
 * Failures that come together, as when one pause of the process lets a whole pipeline expire, are
 * one. While it is open one probe at a time is let through, a pause after the last one ended; only
 * a probe closes it. Any thread may call any method.
 */
final class Breaker {
  /*
   * open       read: volatile, on every command   written under this
   * failures   read and cleared: volatile, on every round   raised under this
   *
   * A success that races a failure may clear it or not: either order could have happened.
   */
  private final int threshold;
  private final long togetherNanos;
  private final long pauseNanos;
  private final Ticker ticker;
  private final Tally tally;
  private volatile boolean open;
  private volatile int failures;
  private long failedAt;
  private boolean probing;
  private long probedAt;

  Breaker(int threshold, long togetherNanos, long pauseNanos, Ticker ticker, Tally tally) {
    this.threshold = threshold;
    this.togetherNanos = togetherNanos;
    this.pauseNanos = pauseNanos;
    this.ticker = ticker;
    this.tally = tally;
  }

  boolean isOpen() {
    return open;
  }

  /** Takes note of an answer in time. */
  void succeeded() {
    if (failures != 0) {
      failures = 0;
    }
  }

  /** Takes note of commands without an answer. */
  synchronized void failed() {
    long now = ticker.nanos();
    if (failures == 0 || now - failedAt >= togetherNanos) {
      failedAt = now;
      failures = Math.min(threshold, failures + 1);
      if (failures == threshold) {
        trip();
      }
    }
  }

  /** Opens. */
  synchronized void trip() {
    if (!open) {
      open = true;
      probedAt = ticker.nanos();
      tally.openings.increment();
    }
  }

  /** Returns whether the caller shall probe now; if so, it must call {@link #probed}. */
  synchronized boolean tryProbe() {
    if (!open || probing || ticker.nanos() - probedAt < pauseNanos) {
      return false;
    }
    probing = true;
    return true;
  }

  /** Takes the outcome of a probe. */
  synchronized void probed(boolean answered) {
    probing = false;
    probedAt = ticker.nanos();
    if (answered) {
      failures = 0;
      open = false;
    }
  }
}
