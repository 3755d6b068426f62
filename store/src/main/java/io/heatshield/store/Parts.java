package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.util.function.LongSupplier;

/** What all parts of one store share. */
record Parts(
    StoreOptions options,
    HashSecret secret,
    KeyHash hash,
    Ticker ticker,
    LongSupplier clock,
    Savings savings,
    Tally tally,
    CallWatch watch) {

  /** Returns the action of this name in the store's scope. */
  Action action(String name, Mode mode) {
    Action action = savings.action(name, options.name(), mode);
    action.mode(mode);
    return action;
  }
}
