package io.heatshield.data;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.DetectSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.data.command.Commands;
import io.heatshield.data.command.OpenStore;
import io.heatshield.data.command.ServerContext;
import io.heatshield.data.command.hot.ContextSource;
import io.heatshield.data.command.hot.HotChannel;
import io.heatshield.data.command.hot.HotContexts;
import io.heatshield.data.command.hot.HotKeys;
import io.heatshield.data.command.session.Authenticator;
import io.heatshield.data.command.session.Clients;
import io.heatshield.data.command.session.User;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.explain.ScopeKind;
import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.time.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A data port on loopback with one or two memory stores; only the ticker is fake. */
public final class DataPortFixture implements AutoCloseable {
  /** Users that give every client every right. */
  public static final Authenticator ADMINS =
      new Authenticator() {
        @Override
        public User unauthenticated() {
          return new User("default", true);
        }

        @Override
        public @Nullable User find(String name, byte[] password) {
          return name.equals("default") ? unauthenticated() : null;
        }
      };

  final FakeTicker ticker = new FakeTicker();
  final DataCounters counters = new DataCounters();
  final Metrics metrics = new Metrics();
  final ServerScopes scopes;
  final ServerContext server;
  private final Explainer explainer;
  private final Path folder = Files.createTempDirectory("heatshield");
  private final StoreOptions options;
  private final Transport transport = new Transport(2);
  private final RespPort respPort;

  private DataPortFixture(
      Authenticator users,
      UnaryOperator<DataLimits> limits,
      Engine engine,
      @Nullable TlsMaterial tls,
      StoreOptions guards,
      boolean valkey)
      throws IOException {
    options = guards;
    HashSecret secret = HashSecret.of(new byte[32]);
    Clock clock = Clock.systemUTC();
    scopes = new ServerScopes(detect(), secret, ticker::nanos, clock, metrics);
    var savings = new Savings();
    explainer =
        new Explainer(
            scopes,
            new WallTime(ticker::nanos, clock),
            new HeatHistory(),
            savings,
            () -> settings(""));
    var channel = new HotChannel();
    scopes.addListener(channel::publish);
    DataLimits bounds = limits.apply(DataLimits.defaults());
    server =
        new ServerContext(
            Commands.table(),
            List.of(
                store("main", 0, engine, clock, bounds),
                store("other", 1, new MemoryEngine(1 << 20), clock, bounds)),
            users,
            new Clients(),
            channel,
            scopes,
            savings,
            new HotKeys(
                settings("server: {hotkeys_dialect: " + (valkey ? "valkey" : "redis") + "}")
                    .server(),
                scopes.keyHash(),
                clock),
            explainer,
            new ServerTables(
                secret, ticker::nanos, clock, scopes, savings, metrics, StateFolder.open(folder)),
            Map.of("appendonly", "no", "maxclients", "10000", "save", ""),
            clock,
            ticker::nanos);
    respPort =
        new RespPort(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            server,
            tls,
            bounds,
            counters);
    respPort.start();
  }

  public static DataPortFixture open() {
    return open(ADMINS, limits -> limits);
  }

  /** Opens a port to a store that throttles writes to one key above {@code perWindow}. */
  public static DataPortFixture clamped(long perWindow) {
    var clamp = new StoreOptions.WriteLimit(Mode.ENFORCE, perWindow, 0, 2);
    try {
      return new DataPortFixture(
          ADMINS,
          limits -> limits,
          new MemoryEngine(64 << 20),
          null,
          StoreOptions.of("main").with(clamp),
          false);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens a port with the HOTKEYS of Valkey. */
  public static DataPortFixture valkey() {
    try {
      return new DataPortFixture(
          ADMINS,
          limits -> limits,
          new MemoryEngine(64 << 20),
          null,
          StoreOptions.of("main"),
          true);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static DataPortFixture open(Authenticator users, UnaryOperator<DataLimits> limits) {
    return open(users, limits, new MemoryEngine(64 << 20), null);
  }

  public static DataPortFixture open(
      Authenticator users,
      UnaryOperator<DataLimits> limits,
      Engine engine,
      @Nullable TlsMaterial tls) {
    try {
      return new DataPortFixture(users, limits, engine, tls, StoreOptions.of("main"), false);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private OpenStore store(String name, int index, Engine engine, Clock clock, DataLimits bounds) {
    var hot = new HotContexts(scopes.open(name), clock, ticker::nanos);
    explainer.addSource(name, new ContextSource(ScopeKind.STORE, () -> hot));
    return new OpenStore(
        name,
        index,
        GuardedStore.over(engine)
            .options(options.maxMemory(64 << 20))
            .secret(scopes.secret())
            .ticker(ticker::nanos)
            .withoutUpkeep()
            .build(),
        hot,
        bounds.known().maxArgumentBytes());
  }

  private static Settings settings(String yaml) {
    byte[] text = yaml.getBytes(StandardCharsets.UTF_8);
    LoadResult.Valid valid = (LoadResult.Valid) new ConfigLoader(Map.of()).load("test", text);
    return valid.configuration().settings();
  }

  private static DetectSettings detect() {
    return new DetectSettings(Duration.ofSeconds(10), 4, 10, 0.8, false, 1024, 4, 10, false, 100);
  }

  public RespPort respPort() {
    return respPort;
  }

  public int port() {
    return respPort.address().getPort();
  }

  public RawResp client() {
    return RawResp.open("127.0.0.1", port());
  }

  @Override
  public void close() {
    respPort.stop(Duration.ofSeconds(2));
    transport.stop(Duration.ofSeconds(5));
    metrics.close();
    server.stores().forEach(store -> store.store().close());
    try {
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
