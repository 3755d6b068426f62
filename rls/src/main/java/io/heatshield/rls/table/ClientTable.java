package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.Decision;
import io.heatshield.contest.HashedHeavyHitters;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.detect.HotKeyDetector;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One table of the configuration: its busiest clients, their rules, and the blocked clients.
 * Immutable except for its counts; a reload creates another one with the same clients.
 */
public final class ClientTable {
  private final TableSettings settings;
  private final HeavyHitters clients;
  private final HashedHeavyHitters hashed;
  private final Map<String, Action> actions;
  private final RuleLog log;
  private final @Nullable HotKeyDetector detector;

  /**
   * Creates a table.
   *
   * @param actions the actions that count what each rule refused, by the name of the rule
   */
  ClientTable(
      TableSettings settings,
      HeavyHitters clients,
      Map<String, Action> actions,
      RuleLog log,
      @Nullable HotKeyDetector detector) {
    this.settings = settings;
    this.clients = clients;
    this.hashed = clients.hashed(clients.keyHash());
    this.actions = Map.copyOf(actions);
    this.log = log;
    this.detector = detector;
  }

  public TableSettings settings() {
    return settings;
  }

  public HeavyHitters clients() {
    return clients;
  }

  /** Returns the descriptor entry that feeds the table. */
  String entry() {
    return settings.key();
  }

  /** Returns the descriptor entry whose distinct values are counted, or null. */
  @Nullable String targetEntry() {
    TableSettings.Cardinality cardinality = settings.cardinality();
    return cardinality == null ? null : cardinality.of();
  }

  long hash(String key) {
    return clients.keyHash().hash(key);
  }

  /** Returns the action of a rule; null if a reload has added or removed the rule just now. */
  @Nullable Action action(String rule) {
    return actions.get(rule);
  }

  RuleLog log() {
    return log;
  }

  /** Returns the refusal of a use by a rule that is in effect, or null; counts nothing. */
  @Nullable Refusal refusal(ClientUse use) {
    return refusal(use, hashed.check(use.hash, use.key));
  }

  /** Returns the refusal of a use by a decision, or null. */
  @Nullable Refusal refusal(ClientUse use, Decision decision) {
    if (!decision.refused()) {
      return null;
    }
    String rule = decision.rule().orElseThrow();
    Action action = action(rule);
    return action == null ? null : new Refusal(use, rule, action, decision);
  }

  /** Counts a use, and applies the rules. */
  Decision touch(ClientUse use) {
    if (detector != null) {
      detector.touch(use.key, use.weight);
    }
    return hashed.touch(use.hash, use.key, use.weight, use.targets);
  }
}
