package io.heatshield.data.command;

import io.heatshield.action.Savings;
import io.heatshield.data.command.hot.HotChannel;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.Clients;
import io.heatshield.hash.KeyHash;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What all clients of the data door share.
 *
 * @param table the commands
 * @param stores the stores, in the order of their indexes; at least one
 * @param users who may come in
 * @param clients who is there
 * @param channel those who want to hear of hot keys
 * @param scopes where keys are counted
 * @param savings what was saved
 * @param hotKeys what HOTKEYS tracks
 * @param explainer tells what is known about a key
 * @param tables the tables of the busiest clients
 * @param settings what CONFIG GET shows, by name
 * @param clock wall time
 * @param ticker the time that ages are told by
 */
public record Realm(
    CommandTable table,
    List<OpenStore> stores,
    Authenticator users,
    Clients clients,
    HotChannel channel,
    ServerScopes scopes,
    Savings savings,
    HotKeys hotKeys,
    Explainer explainer,
    TableAccess tables,
    Supplier<Map<String, String>> settings,
    Clock clock,
    Ticker ticker) {

  /** Checks that a key has one hash, whatever store it is of. */
  public Realm {
    long one = scopes.keyHash().fingerprint();
    for (OpenStore store : stores) {
      if (store.store().hash().fingerprint() != one || store.hot().hash().fingerprint() != one) {
        throw new IllegalArgumentException("stores must hash by one secret: " + store.name());
      }
    }
  }

  /** Returns the function that every key is hashed with, once: that of the scopes. */
  KeyHash hash() {
    return scopes.keyHash();
  }

  /** Returns the store of a name. */
  public Optional<OpenStore> store(String name) {
    return stores.stream().filter(store -> store.name().equals(name)).findFirst();
  }
}
