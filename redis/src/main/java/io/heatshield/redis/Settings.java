package io.heatshield.redis;

import io.heatshield.time.Ticker;

/**
 * What all connections of a client share.
 *
 * @param data how a connection to a server with data is made
 * @param sentinels how a connection to a sentinel is made
 * @param connectNanos how long a connection may take
 * @param patienceNanos how long a pipeline may take before its connection is given up
 */
record Settings(
    Access data,
    Access sentinels,
    long connectNanos,
    long budgetNanos,
    long patienceNanos,
    long probeNanos,
    int connections,
    int maxPending,
    int failuresToOpen,
    Ticker ticker,
    Tally tally) {
  /** A late answer still tells that Redis lives, so it is worth a few budgets. */
  private static final int BUDGETS_OF_PATIENCE = 4;

  private static final int FAILURES_IN_A_BUDGET = 5;

  static Settings of(RedisBuilder from) {
    return new Settings(
        Access.toData(from),
        Access.toSentinels(from),
        from.connectNanos,
        from.budgetNanos,
        BUDGETS_OF_PATIENCE * from.budgetNanos,
        from.probeNanos,
        from.connections,
        from.maxPending,
        from.failuresToOpen,
        from.ticker,
        new Tally());
  }

  Breaker breaker() {
    return new Breaker(
        failuresToOpen, budgetNanos / FAILURES_IN_A_BUDGET, probeNanos, ticker, tally);
  }
}
