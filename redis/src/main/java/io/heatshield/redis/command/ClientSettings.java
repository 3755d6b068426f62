package io.heatshield.redis.command;

import io.heatshield.redis.connection.ConnectionFactory;
import io.heatshield.time.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * The settings and counters that all connections of a client share.
 *
 * @param data connects to servers that hold data
 * @param sentinels connects to sentinels
 * @param connectNanos the timeout for opening a connection
 * @param budgetNanos the time budget of a command
 * @param connections the number of connections to each server
 */
public record ClientSettings(
    ConnectionFactory data,
    ConnectionFactory sentinels,
    long connectNanos,
    long budgetNanos,
    int connections,
    ClientCounters counters) {
  /** The pause between attempts to reach a server that does not answer. */
  public static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The most pending commands of a connection. */
  static final int MAX_PENDING = 16_384;

  private static final int FAILURES_TO_OPEN = 5;
  private static final int FAILURES_PER_BUDGET = 5;

  /** A late reply still shows that Redis is alive, so it is worth waiting a few budgets for. */
  private static final int BUDGETS_PER_PIPELINE = 4;

  /** Returns how long a pipeline may take before its connection is closed. */
  long pipelineNanos() {
    return BUDGETS_PER_PIPELINE * budgetNanos;
  }

  Breaker breaker() {
    return new Breaker(
        FAILURES_TO_OPEN,
        budgetNanos / FAILURES_PER_BUDGET,
        RETRY_NANOS,
        Ticker.system(),
        counters);
  }

  /** Returns nanoseconds as milliseconds for a socket, at least 1: 0 would mean no timeout. */
  public static int millis(long nanos) {
    return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
