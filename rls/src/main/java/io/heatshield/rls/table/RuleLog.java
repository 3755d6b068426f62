package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.HeavyHittersListener;
import io.heatshield.contest.KeyScore;
import io.heatshield.contest.Rule;
import io.heatshield.contest.RuleEvent;
import io.heatshield.hash.KeyHash;
import io.heatshield.hash.SeaHash;
import io.heatshield.insight.scope.LogThrottle;
import io.heatshield.key.KeyText;
import io.heatshield.time.Ticker;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the rules of a table: at most one line per rule and client in an interval. */
final class RuleLog implements HeavyHittersListener {
  private static final Logger log = LoggerFactory.getLogger(RuleLog.class);

  private final TableSettings settings;
  private final Set<String> logging;
  private final Map<String, Action> actions;
  private final KeyHash hash;
  private final LogThrottle gate;

  /** A client of a rule, by its keyed hash. */
  private record Line(String rule, long hash) {}

  /**
   * Creates a log.
   *
   * @param actions count the lines of rules that only log, by the name of the rule
   */
  RuleLog(TableSettings settings, Map<String, Action> actions, KeyHash hash, Ticker ticker) {
    this.settings = settings;
    this.actions = actions;
    this.hash = hash;
    gate = new LogThrottle(ticker, settings.logInterval());
    logging =
        settings.rules().stream()
            .filter(rule -> rule.action().contains(TableSettings.Action.LOG))
            .map(TableSettings.Rule::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void exceeded(RuleEvent event) {
    String rule = event.rule().name();
    if (logging.contains(rule) && write(event) && event.outcome() == RuleEvent.Outcome.REPORTED) {
      Action action = actions.get(rule);
      boolean unused = action != null && action.apply(0);
    }
  }

  /** Returns how many lines were suppressed. */
  long heldBack() {
    return gate.suppressed();
  }

  /** Logs a line unless one was logged in the interval, and returns whether it did. */
  private boolean write(RuleEvent event) {
    byte[] key = event.key();
    if (!gate.tryAcquire(new Line(event.rule().name(), hash.hash(key)))) {
      return false;
    }
    KeyScore score = event.score();
    log.warn(
        "client {} of table {} exceeds rule {}: {} ({}/s{}, key_hash {})",
        KeyText.of(key),
        settings.name(),
        event.rule().name(),
        outcome(event),
        String.format(Locale.ROOT, "%.1f", score.rate()),
        settings.cardinality() == null ? "" : ", " + score.distinct() + " distinct",
        SeaHash.label(key));
    return true;
  }

  /** Returns the effect on the client, in words. */
  private String outcome(RuleEvent event) {
    Rule rule = event.rule();
    String observed = rule.mode() == Mode.OBSERVE ? "in observe, else " : "";
    return switch (event.outcome()) {
      case REPORTED -> "noted";
      case FULL -> observed + "not blocked, for all " + settings.maxBlocks() + " places are taken";
      case BLOCKED -> observed + "blocked for " + rule.blockTime().orElseThrow().toSeconds() + " s";
    };
  }
}
