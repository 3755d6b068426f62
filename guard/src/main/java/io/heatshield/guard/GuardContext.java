package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.util.function.Consumer;

/** The state that all protections of one scope share. */
public final class GuardContext {
  private final String scope;
  private final HashSecret secret;
  private final KeyHash hash;
  private final Ticker ticker;
  private final Savings savings;
  private final FleetHotKeys fleet;
  private final Consumer<String> warnings;

  /**
   * Creates the context of a scope.
   *
   * @param scope the name under which the savings are counted
   * @param secret the secret that keys are hashed with
   * @param ticker the time for ages and windows
   * @param savings where modes and savings are recorded
   * @param fleet the keys that are hot in the whole fleet
   * @param warnings receives each event that an operator should know, as a sentence without the
   *     scope; must not throw
   */
  public GuardContext(
      String scope,
      HashSecret secret,
      Ticker ticker,
      Savings savings,
      FleetHotKeys fleet,
      Consumer<String> warnings) {
    this.scope = scope;
    this.secret = secret;
    this.hash = KeyHash.fast(secret);
    this.ticker = ticker;
    this.savings = savings;
    this.fleet = fleet;
    this.warnings = warnings;
  }

  /** Returns the secret that keys are hashed with. */
  public HashSecret secret() {
    return secret;
  }

  /** Returns the function that keys are hashed with. */
  public KeyHash hash() {
    return hash;
  }

  /** Returns the time for ages and windows. */
  public Ticker ticker() {
    return ticker;
  }

  /** Returns the keys that are hot in the whole fleet. */
  public FleetHotKeys fleet() {
    return fleet;
  }

  /** Returns the receiver of events that an operator should know. */
  public Consumer<String> warnings() {
    return warnings;
  }

  /** Returns the action of this name in the scope, and sets its mode. */
  public Action action(String name, Mode mode) {
    Action action = savings.action(name, scope, mode);
    action.mode(mode);
    return action;
  }
}
