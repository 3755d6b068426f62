package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.util.function.Consumer;

/**
 * The state that all protections of one scope share.
 *
 * @param scope the name under which their savings are counted
 * @param hash the function that keys are hashed with
 * @param ticker the time for ages and windows
 * @param savings where modes and savings are recorded
 * @param fleet the keys that are hot in the whole fleet
 * @param warnings receives each event that an operator should know, as a sentence without the
 *     scope; must not throw
 */
public record GuardContext(
    String scope,
    KeyHash hash,
    Ticker ticker,
    Savings savings,
    FleetHotKeys fleet,
    Consumer<String> warnings) {

  /** Returns the action of this name in the scope, and sets its mode. */
  public Action action(String name, Mode mode) {
    Action action = savings.action(name, scope, mode);
    action.mode(mode);
    return action;
  }
}
