package io.heatshield.server;

import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.ConfigWatcher;
import io.heatshield.config.Configuration;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.WebhookSettings;
import io.heatshield.config.value.Address;
import io.heatshield.data.ServerData;
import io.heatshield.data.store.ServerStores;
import io.heatshield.data.store.StoreHealth;
import io.heatshield.data.store.StoreWatchdog;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.explain.Explainer;
import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.savings.DailySavings;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.rls.ServerLimits;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.runtime.Version;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.log.Logging;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.runtime.state.StateLock;
import io.heatshield.runtime.telemetry.Telemetry;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.server.fleet.FleetProtection;
import io.heatshield.server.fleet.NodeName;
import io.heatshield.server.fleet.ServerFleet;
import io.heatshield.server.memory.MemoryFit;
import io.heatshield.server.memory.MemorySources;
import io.heatshield.server.memory.ServerMemory;
import io.heatshield.server.webhook.Webhook;
import io.heatshield.shield.Shield;
import io.heatshield.time.CoarseClock;
import io.heatshield.time.CoarseTicker;
import io.heatshield.time.SteadyClock;
import io.heatshield.time.Ticker;
import io.heatshield.web.api.ConfigApi;
import io.heatshield.web.api.EventsApi;
import io.heatshield.web.api.HotApi;
import io.heatshield.web.api.LimitApi;
import io.heatshield.web.api.MemoryApi;
import io.heatshield.web.api.SavingsApi;
import io.heatshield.web.api.StatsApi;
import io.heatshield.web.api.StoresApi;
import io.heatshield.web.api.TablesApi;
import io.heatshield.web.http.HealthRoutes;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.http.Routes;
import io.heatshield.web.http.StaticFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running server. Its components are started in order and stopped in reverse order.
 *
 * <p>It is ready when {@link #start} returns, or later when the Redis that it needs is available.
 * {@link #stop} may be called by any thread except an event loop, and repeatedly.
 */
public final class HeatshieldServer {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration HISTORY = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofMillis(2);
  private static final Duration MAINTENANCE = Duration.ofMillis(250);
  private static final Duration TABLE_SAVES = Duration.ofSeconds(1);
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ShutdownSequence shutdown = new ShutdownSequence();
  private final CoarseTicker ticker = new CoarseTicker(Ticker.system());
  private final Clock clock = Clock.systemUTC();
  private final CoarseClock clockMillis =
      new CoarseClock(new SteadyClock(clock::millis, Ticker.system()));
  private final Savings savings = new Savings();
  private final DailySavings daily = new DailySavings(savings, clock);
  private final HeatHistory history = new HeatHistory();
  private final EventsApi events = new EventsApi();
  private final Metrics metrics = new Metrics();
  private final Health health = new Health();
  private final ServerMemory memory;
  private final LiveConfiguration configuration;
  private final WallTime wall = new WallTime(ticker, clock);
  private final @Nullable ServerFleet fleet;
  private final ServerScopes scopes;
  private final Explainer explainer;
  private final ServerHistory serverHistory;
  private final ServerTables tables;
  private final @Nullable ServerLimits limits;
  private final ServerStores stores;
  private final ServerData clients;
  private final @Nullable Shield shield;
  private final ServerPorts ports;

  private HeatshieldServer(ConfigLoader loader, MemoryFit fit, @Nullable Path file)
      throws IOException {
    Configuration first = fit.configuration();
    Settings settings = first.settings();
    try {
      Health.Check started = health.expect("start");
      Logging.apply(settings.log());
      memory = new ServerMemory(fit, ticker, metrics);
      var memorySources = new MemorySources(memory);
      configuration = new LiveConfiguration(first, memory::check, metrics);
      configuration.onChange(memory::retune);
      configuration.onChange(next -> Logging.apply(next.log()));
      shutdown.add("metrics", deadline -> metrics.close());
      Telemetry telemetry = Telemetry.open(settings.telemetry(), metrics::snapshots, clock);
      if (telemetry != null) {
        shutdown.add("telemetry", telemetry::close);
      }
      StateFolder folder = StateFolder.open(settings.server().stateDir());
      StateLock lock = folder.lock();
      shutdown.add("state folder", deadline -> lock.close());
      Timer timer = new Timer();
      shutdown.add("timer", timer::stop);
      timer.tick(TICK, this::tick);
      fleet =
          settings.fleet() == null ? null : ServerFleet.open(settings, settings.fleet(), folder);
      if (fleet != null) {
        shutdown.add("fleet", fleet::close);
      }
      HashSecret secret = fleet == null ? folder.hashSecret() : fleet.secret();
      scopes = new ServerScopes(settings.detect(), secret, ticker, clock, metrics);
      memorySources.add(scopes);
      openStoreScopes(settings);
      configuration.onChange(next -> scopes.reconfigure(next.detect()));
      scopes.addListener(events::publish);
      openWebhook(settings);
      timer.every(MAINTENANCE, scopes::maintain);
      explainer = new Explainer(scopes, wall, history, savings, () -> configuration().settings());
      // The tables belong to this node and survive a change of the fleet's secret.
      HashSecret own = folder.hashSecret();
      tables = new ServerTables(own, ticker, clock, scopes, savings, metrics, folder);
      tables.take(settings.tables());
      timer.every(TABLE_SAVES, tables::saveDue);
      shutdown.add("tables", deadline -> tables.save());
      timer.every(HISTORY, daily::read);
      serverHistory = new ServerHistory(scopes, savings, explainer, history, wall, clock, timer);
      AdminToken token = token(settings.server().adminTokenFile());
      timer.every(POLL, token::refresh);
      stores = ServerStores.open(settings, scopes.secret(), savings, ticker, metrics);
      configuration.onChange(stores::retune);
      memorySources.add(stores);
      shutdown.add("stores", stores::close);
      timer.every(POLL, new StoreWatchdog(stores.all(), health)::look);
      timer.every(POLL, new StoreHealth(stores, health)::poll);
      configuration.onChange(next -> tables.take(next.tables()));
      memorySources.add(tables);
      configuration.onChange(next -> memorySources.add(tables));
      clients =
          ServerData.open(
              settings, stores, tables, scopes, savings, explainer, token, clock, ticker);
      shield = settings.shield() == null ? null : openShield(settings.shield());
      if (shield == null) {
        serverHistory.addStores(stores, clients.counters());
      } else {
        serverHistory.addShield(shield.counters());
        memorySources.add(shield);
      }
      // After the stores: a store needs a scope, a domain is limited without one, too.
      limits = settings.limits() == null ? null : openLimits(settings, settings.limits(), timer);
      if (limits != null) {
        serverHistory.addLimits(limits);
        memorySources.add(limits);
      }
      if (telemetry != null) {
        trace(telemetry.tracing());
      }
      if (fleet != null) {
        var protection = new FleetProtection(stores, shield, limits);
        fleet.start(scopes, protection, savings, health, ticker, metrics);
      }
      ports = new ServerPorts(first, metrics, health, shutdown, timer);
      ports.openHttp(routes(timer), token);
      if (limits != null) {
        ports.openGrpc(limits);
      }
      ports.openData(clients, shield);
      memorySources.addConnections(ports::heldBytes);
      if (file != null) {
        ConfigLoader checked = loader.then(memory::check);
        timer.every(
            POLL, ConfigWatcher.of(checked, file, this::configuration, configuration)::poll);
      }
      shutdown.add("readiness", deadline -> health.stopping());
      started.pass();
    } catch (IOException | RuntimeException e) {
      shutdown.stop(Duration.ofSeconds(1));
      throw e;
    }
  }

  /** Opens the scopes of the RESP port before tables and domains can use up the maximum. */
  private void openStoreScopes(Settings settings) {
    if (settings.shield() == null) {
      settings.stores().forEach(store -> scopes.open(store.name()));
    } else {
      scopes.open(Shield.SCOPE);
    }
  }

  /**
   * Starts a server.
   *
   * @param loader reloads the file when it changes
   * @param file the configuration file to watch, or null
   * @throws StartException if the server cannot start, or if the configuration needs more memory
   *     than there is; then nothing keeps running
   */
  public static HeatshieldServer start(
      ConfigLoader loader, Configuration configuration, @Nullable Path file) throws StartException {
    MemoryFit fit = MemoryFit.of(configuration, MachineMemory.current());
    if (!fit.fits()) {
      throw new StartException(String.join("\n", fit.refusalText()));
    }
    try {
      return new HeatshieldServer(loader, fit, file);
    } catch (IOException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the configured HTTP address, with the actual port. */
  public URI http() {
    return ports.http();
  }

  /** Returns the configured gRPC address, with the actual port, if the port is open. */
  public Optional<Address> grpc() {
    return ports.grpc();
  }

  /** Returns the configured RESP address, with the actual port. */
  public Address resp() {
    return ports.resp();
  }

  /** Returns the effective configuration. */
  public Configuration configuration() {
    return configuration.current();
  }

  /** Returns the scopes. */
  public ServerScopes scopes() {
    return scopes;
  }

  /** Returns the savings of all actions. */
  public Savings savings() {
    return savings;
  }

  /** Returns a summary of the ports and protections, as aligned lines. */
  public List<String> summary() {
    return StartSummary.lines(
        configuration().settings(), memory.plan(), ports.transport(), http(), grpc(), resp());
  }

  /**
   * Stops the server: it becomes not ready, accepts no new connections, and completes running
   * requests until the deadline.
   *
   * @return whether everything stopped in time
   */
  public boolean stop(Duration deadline) {
    return shutdown.stop(deadline);
  }

  private void tick() {
    ticker.refresh();
    clockMillis.refresh();
  }

  private ServerLimits openLimits(Settings settings, LimitsSettings limitsSettings, Timer timer)
      throws IOException {
    ServerLimits opened =
        ServerLimits.open(settings, limitsSettings, scopes, clockMillis, metrics, savings, health);
    shutdown.add("limits", deadline -> opened.close());
    configuration.onChange(
        next -> {
          if (next.limits() != null) {
            opened.retune(next, next.limits());
          }
        });
    opened.service().guard(tables);
    explainer.setFallback(opened::source);
    timer.every(POLL, opened::poll);
    timer.every(MAINTENANCE, opened::maintain);
    return opened;
  }

  private void trace(Tracing tracing) {
    if (shield != null) {
      shield.trace(tracing);
    }
    if (limits != null) {
      limits.service().trace(tracing);
    }
  }

  private void openWebhook(Settings settings) {
    WebhookSettings webhookSettings = settings.webhook();
    if (webhookSettings.url() != null) {
      String sender = fleet == null ? NodeName.generate(null) : fleet.node();
      Webhook webhook = Webhook.start(webhookSettings, webhookSettings.url(), sender, metrics);
      scopes.addListener(webhook::offer);
      shutdown.add("webhook", webhook::stop);
    }
  }

  private Shield openShield(ShieldSettings settings) throws IOException {
    Health.Check ready = health.expect("shield");
    Shield opened = Shield.open(settings, scopes, savings, metrics, clock, ticker, ready::pass);
    shutdown.add("shield", deadline -> opened.close());
    explainer.addSource(Shield.SCOPE, opened.keySource());
    configuration.onChange(
        next -> {
          if (next.shield() != null) {
            opened.retune(next.shield());
          }
        });
    return opened;
  }

  private static AdminToken token(@Nullable Path file) throws IOException {
    return file == null ? AdminToken.none() : AdminToken.fromFile(file);
  }

  private Routes routes(Timer timer) {
    Routes.Builder routes = Routes.builder();
    if (limits != null) {
      routes.addAll(new LimitApi(limits.service()).routes());
    }
    return routes
        .addAll(StaticFiles.page())
        .addAll(HealthRoutes.of(health))
        .add(
            Route.get(
                    "/metrics",
                    "Returns all metrics in the text format of Prometheus.",
                    request -> Response.of(200, PROMETHEUS, metricsText()))
                .producing(PROMETHEUS)
                .answering(200, "All metrics."))
        .addAll(
            new ConfigApi(
                    this::configuration, configuration::saved, ports::list, configuration::patch)
                .routes())
        .addAll(new HotApi(scopes, wall, explainer).routes())
        .addAll(serverHistory.routes())
        .addAll(new StatsApi(scopes).routes())
        .addAll(new MemoryApi(memory::report).routes())
        .addAll(
            new SavingsApi(savings, daily, () -> configuration().settings().savings(), clock)
                .routes())
        .addAll(new StoresApi(stores).routes())
        .addAll(new TablesApi(tables, timer::execute).routes())
        .addAll(events.routes())
        .build(Version.current());
  }

  private byte[] metricsText() {
    return metrics.scrape().getBytes(StandardCharsets.UTF_8);
  }
}
