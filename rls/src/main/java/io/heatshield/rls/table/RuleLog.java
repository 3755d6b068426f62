package io.heatshield.rls.table;

import io.heatshield.contest.KeyScore;
import io.heatshield.contest.Tracked;
import io.heatshield.hash.SeaHash;
import io.heatshield.insight.scope.LogThrottle;
import io.heatshield.key.KeyText;
import io.heatshield.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the rules of a table: at most one line per rule and client in an interval. */
final class RuleLog {
  private static final Logger log = LoggerFactory.getLogger(RuleLog.class);

  private final String table;
  private final LogThrottle gate;

  /** A client of a rule, by its keyed hash. */
  private record Line(int rule, long hash) {}

  RuleLog(String table, Ticker ticker, Duration interval) {
    this.table = table;
    gate = new LogThrottle(ticker, interval);
  }

  /**
   * Logs a line unless one was logged in the interval, and returns whether it did.
   *
   * @param outcome the effect on the client, in words
   */
  boolean write(TableRule rule, ClientUse use, Tracked client, String outcome) {
    if (!gate.tryAcquire(new Line(rule.tag(), use.hash))) {
      return false;
    }
    KeyScore keyScore = client.snapshot();
    log.warn(
        "client {} of table {} exceeds rule {}: {} ({}/s{}, key_hash {})",
        KeyText.of(use.key),
        table,
        rule.name(),
        outcome,
        String.format(Locale.ROOT, "%.1f", keyScore.rate()),
        use.table.targetEntry() == null ? "" : ", " + keyScore.distinct() + " distinct",
        SeaHash.label(use.key.getBytes(StandardCharsets.UTF_8)));
    return true;
  }

  /** Returns how many lines were suppressed. */
  long heldBack() {
    return gate.suppressed();
  }
}
