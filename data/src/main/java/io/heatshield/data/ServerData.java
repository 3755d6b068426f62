package io.heatshield.data;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.data.command.Commands;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.ServerContext;
import io.heatshield.data.command.hot.ContextSource;
import io.heatshield.data.command.hot.HotChannel;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.session.Clients;
import io.heatshield.data.store.ServerStores;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.explain.ScopeKind;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.store.GuardedStore;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data port of a server: stores, users and limits.
 *
 * <p>Any thread may call.
 */
public final class ServerData {
  private final ServerContext server;
  private final Users users;
  private final DataLimits limits;
  private final DataCounters counters = new DataCounters();

  private ServerData(ServerContext server, Users users, DataLimits limits) {
    this.server = server;
    this.users = users;
    this.limits = limits;
  }

  /**
   * Opens the stores of the settings to clients, each with a scope of its name.
   *
   * @throws IOException if the password of a user cannot be read
   */
  public static ServerData open(
      Settings settings,
      ServerStores stores,
      ServerTables tables,
      ServerScopes scopes,
      Savings savings,
      Explainer explainer,
      AdminToken token,
      Clock clock,
      Ticker ticker)
      throws IOException {
    var users = new Users(settings.users(), token::accepts);
    var open = new ArrayList<OpenStore>();
    long longest = 1;
    for (StoreSettings store : settings.openStores()) {
      GuardedStore guarded =
          stores
              .find(store.name())
              .orElseThrow(() -> new IllegalStateException("store not open: " + store.name()));
      var hot = new HotContexts(scopes.open(store.name()), clock, ticker);
      explainer.addSource(store.name(), new ContextSource(ScopeKind.STORE, () -> hot));
      savings.effects(store.name(), hot);
      open.add(
          new OpenStore(store.name(), open.size(), guarded, hot, (int) store.maxValue().bytes()));
      longest = Math.max(longest, store.maxValue().bytes());
    }
    DataLimits limits = DataLimits.defaults().withValueBytes((int) longest);
    var channel = new HotChannel();
    scopes.addListener(channel::publish);
    var server =
        new ServerContext(
            Commands.table(),
            List.copyOf(open),
            users,
            new Clients(),
            channel,
            scopes,
            savings,
            new HotKeys(settings.server(), scopes.keyHash(), clock),
            explainer,
            tables,
            configGet(limits, open),
            clock,
            ticker);
    return new ServerData(server, users, limits);
  }

  /** Returns a port to these stores that does not listen yet. */
  public RespPort port(Transport transport, InetSocketAddress address, @Nullable TlsMaterial tls) {
    return new RespPort(transport, address, server, tls, limits, counters);
  }

  public DataCounters counters() {
    return counters;
  }

  /** Reloads the passwords. */
  public void refresh() {
    users.refresh();
  }

  private static Map<String, String> configGet(DataLimits limits, List<OpenStore> stores) {
    return Map.of(
        "appendonly", "no",
        "databases", Integer.toString(stores.size()),
        "maxclients", Integer.toString(limits.maxClients()),
        "maxmemory", Long.toString(Runtime.getRuntime().maxMemory()),
        "maxmemory-policy", "noeviction",
        "proto-max-bulk-len", Integer.toString(limits.known().maxArgumentBytes()),
        "save", "",
        "timeout", Long.toString(limits.idleTimeout().toSeconds()));
  }
}
