package io.heatshield.redis.command;

import io.heatshield.time.Ticker;

/**
 * A circuit breaker: refuses commands to a server that does not answer until a probe succeeds.
 *
 * <p>It opens after a number of failures in a row, or immediately when no connection can be made.
 * Failures close together count as one: a single pause of the process may expire a whole pipeline.
 * While it is open, one probe at a time is permitted, a pause after the last one ended. Only a
 * probe closes it. Any thread may call any method.
 */
final class Breaker {
  /*
   * open       volatile; read by every command, written under this
   * failures   volatile; read and cleared by every pipeline, incremented under this
   *
   * A success that races with a failure may clear it or not: either order could have happened.
   */
  private final int threshold;
  private final long sameFailureNanos;
  private final long pauseNanos;
  private final Ticker ticker;
  private final ClientCounters counters;
  private volatile boolean open;
  private volatile int failures;
  private long failedAt;
  private boolean probing;
  private long probedAt;

  Breaker(
      int threshold,
      long sameFailureNanos,
      long pauseNanos,
      Ticker ticker,
      ClientCounters counters) {
    this.threshold = threshold;
    this.sameFailureNanos = sameFailureNanos;
    this.pauseNanos = pauseNanos;
    this.ticker = ticker;
    this.counters = counters;
  }

  boolean isOpen() {
    return open;
  }

  /** Records a reply in time. */
  void succeeded() {
    if (failures != 0) {
      failures = 0;
    }
  }

  /** Records commands without a reply. */
  synchronized void failed() {
    long now = ticker.nanos();
    if (failures == 0 || now - failedAt >= sameFailureNanos) {
      failedAt = now;
      failures = Math.min(threshold, failures + 1);
      if (failures == threshold) {
        trip();
      }
    }
  }

  /** Opens the breaker. */
  synchronized void trip() {
    if (!open) {
      open = true;
      probedAt = ticker.nanos();
      counters.breakerOpenings.increment();
    }
  }

  /** Returns whether the caller may probe now; it must then call {@link #probed}. */
  synchronized boolean tryProbe() {
    if (!open || probing || ticker.nanos() - probedAt < pauseNanos) {
      return false;
    }
    probing = true;
    return true;
  }

  /** Records the outcome of a probe. */
  synchronized void probed(boolean answered) {
    probing = false;
    probedAt = ticker.nanos();
    if (answered) {
      failures = 0;
      open = false;
    }
  }
}
