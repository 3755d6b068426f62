package io.heatshield.data.command;

import io.heatshield.action.Savings;
import io.heatshield.data.command.hot.HotChannel;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.Clients;
import io.heatshield.hash.KeyHash;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state that all clients of the data port share.
 *
 * @param table the commands
 * @param stores the stores, in the order of their indexes; at least one
 * @param users checks passwords
 * @param clients the connected clients
 * @param channel the subscribers to hot-key events
 * @param scopes where keys are counted
 * @param savings what each protection saved
 * @param hotKeys the state of HOTKEYS
 * @param explainer explains why a key is hot
 * @param tables the tables of clients
 * @param settings the settings that CONFIG GET returns, by name
 * @param clock wall time
 * @param ticker monotonic time
 */
public record ServerContext(
    CommandTable table,
    List<OpenStore> stores,
    Authenticator users,
    Clients clients,
    HotChannel channel,
    ServerScopes scopes,
    Savings savings,
    HotKeys hotKeys,
    Explainer explainer,
    ServerTables tables,
    Map<String, String> settings,
    Clock clock,
    Ticker ticker) {

  /** Checks that a key has the same hash in all stores. */
  public ServerContext {
    long one = scopes.keyHash().fingerprint();
    for (OpenStore store : stores) {
      if (store.store().hash().fingerprint() != one || store.hot().hash().fingerprint() != one) {
        throw new IllegalArgumentException("stores must hash with one secret: " + store.name());
      }
    }
  }

  /** Returns the hash function of all keys. */
  KeyHash hash() {
    return scopes.keyHash();
  }

  /** Returns the store with a name. */
  public Optional<OpenStore> store(String name) {
    return stores.stream().filter(store -> store.name().equals(name)).findFirst();
  }
}
