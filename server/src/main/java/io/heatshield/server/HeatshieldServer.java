package io.heatshield.server;

import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.ConfigWatcher;
import io.heatshield.config.Configuration;
import io.heatshield.config.settings.FleetSettings;
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
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.runtime.state.StateLock;
import io.heatshield.runtime.telemetry.Telemetry;
import io.heatshield.runtime.telemetry.Tracing;
import io.heatshield.server.fleet.FleetHeat;
import io.heatshield.server.fleet.NodeName;
import io.heatshield.server.fleet.ServerFleet;
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
 * One running server: its parts are started in order, and stopped in reverse.
 *
 * <p>It is ready once {@link #start} returns, or later when the Redis that it needs has answered.
 * Any thread but an event loop may stop it; stopping twice is the same as once.
 */
public final class HeatshieldServer {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration HISTORY = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofMillis(2);
  private static final Duration MAINTENANCE = Duration.ofMillis(250);
  private static final Duration TABLE_SAVES = Duration.ofSeconds(1);
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final StopOrder parts = new StopOrder();
  private final CoarseTicker ticker = new CoarseTicker(Ticker.system());
  private final Clock clock = Clock.systemUTC();
  private final CoarseClock clockMillis =
      new CoarseClock(new SteadyClock(clock::millis, Ticker.system()));
  private final Savings savings = new Savings();
  private final DailySavings daily = new DailySavings(savings, clock);
  private final SavingsApi savingsApi =
      new SavingsApi(savings, daily, () -> configuration().settings().savings(), clock);
  private final HeatHistory history = new HeatHistory();
  private final EventsApi events = new EventsApi();
  private final Metrics metrics = new Metrics();
  private final Health health = new Health();
  private final LiveConfiguration configuration;
  private final WallTime wall = new WallTime(ticker, clock);
  private final @Nullable ServerFleet fleet;
  private final ServerScopes scopes;
  private final Explainer explainer;
  private final ServerPast past;
  private final ServerTables tables;
  private final @Nullable ServerLimits limits;
  private final ServerStores stores;
  private final ServerData clients;
  private final @Nullable Shield shield;
  private final ServerDoors doors;

  private HeatshieldServer(ConfigLoader loader, Configuration first, @Nullable Path file)
      throws IOException {
    Settings settings = first.settings();
    try {
      Health.Check started = health.expect("start");
      configuration = new LiveConfiguration(first, metrics);
      Logging.apply(settings.log());
      configuration.onChange(next -> Logging.apply(next.settings().log()));
      parts.add("metrics", deadline -> metrics.close());
      Telemetry telemetry = Telemetry.open(settings.telemetry(), metrics::snapshots, clock);
      if (telemetry != null) {
        parts.add("telemetry", telemetry::close);
      }
      StateFolder folder = StateFolder.open(settings.server().stateDir());
      StateLock lock = folder.lock();
      parts.add("state folder", deadline -> lock.close());
      Timer timer = new Timer();
      parts.add("timer", timer::stop);
      timer.tick(TICK, this::tick);
      fleet = settings.fleet() == null ? null : fleet(settings, settings.fleet(), folder);
      HashSecret secret = fleet == null ? folder.hashSecret() : fleet.secret();
      scopes = new ServerScopes(settings.detect(), secret, ticker, clock, metrics);
      openStoreScopes(settings);
      configuration.onChange(next -> scopes.retune(next.settings().detect()));
      scopes.listen(events::publish);
      openWebhook(settings);
      timer.every(MAINTENANCE, scopes::maintain);
      explainer = new Explainer(scopes, wall, history, savings, () -> configuration().settings());
      // The tables of a fleet's node are its own, and outlive a change of the fleet's secret.
      HashSecret own = folder.hashSecret();
      tables = new ServerTables(own, ticker, clock, scopes, savings, metrics, folder);
      tables.take(settings.tables());
      timer.every(TABLE_SAVES, tables::saveDue);
      parts.add("tables", deadline -> tables.save());
      timer.every(HISTORY, daily::read);
      past = new ServerPast(scopes, savings, explainer, history, wall, clock, timer);
      AdminToken token = token(settings.server().adminTokenFile());
      timer.every(POLL, token::refresh);
      stores = ServerStores.open(settings, scopes.secret(), savings, ticker, metrics);
      configuration.onChange(next -> stores.retune(next.settings()));
      parts.add("stores", stores::close);
      timer.every(POLL, new StoreWatchdog(stores.all(), health)::look);
      timer.every(POLL, new StoreHealth(stores, health)::poll);
      configuration.onChange(next -> tables.take(next.settings().tables()));
      clients =
          ServerData.open(
              settings, stores, tables, scopes, savings, explainer, token, clock, ticker);
      shield = settings.shield() == null ? null : shield(settings.shield());
      if (shield == null) {
        past.addStores(stores, clients.counters());
      } else {
        past.addShield(shield.counters());
      }
      // After the stores: a domain without a scope is still limited, a store needs its scope.
      limits = settings.limits() == null ? null : limits(settings, settings.limits(), timer);
      if (limits != null) {
        past.addLimits(limits);
      }
      if (telemetry != null) {
        trace(telemetry.tracing());
      }
      if (fleet != null) {
        var heat = new FleetHeat(stores, shield, limits);
        fleet.start(scopes, heat, savings, health, ticker, metrics);
      }
      doors = new ServerDoors(first, metrics, health, parts, timer);
      doors.openHttp(routes(timer), token);
      if (limits != null) {
        doors.openGrpc(limits);
      }
      doors.openData(clients, shield);
      if (file != null) {
        timer.every(POLL, ConfigWatcher.of(loader, file, this::configuration, configuration)::poll);
      }
      parts.add("readiness", deadline -> health.stopping());
      started.pass();
    } catch (IOException | RuntimeException e) {
      parts.stop(Duration.ofSeconds(1));
      throw e;
    }
  }

  /** Opens the scopes that the RESP door needs before tables and domains may take all there are. */
  private void openStoreScopes(Settings settings) {
    if (settings.shield() == null) {
      settings.stores().forEach(store -> scopes.open(store.name()));
    } else {
      scopes.open(Shield.SCOPE);
    }
  }

  /**
   * Starts a server and returns it once it is ready.
   *
   * @param loader reads the file again when it was saved
   * @param file the file that the configuration came from, or null if there is none to watch
   * @throws StartException if it cannot run here; nothing is left running then
   */
  public static HeatshieldServer start(
      ConfigLoader loader, Configuration configuration, @Nullable Path file) throws StartException {
    try {
      return new HeatshieldServer(loader, configuration, file);
    } catch (IOException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the address of the HTTP door as it was configured, with the port it really has. */
  public URI http() {
    return doors.http();
  }

  /** Returns the address of the gRPC door, with the port it really has, if it is open. */
  public Optional<Address> grpc() {
    return doors.grpc();
  }

  /** Returns the address of the data door, with the port it really has. */
  public Address resp() {
    return doors.resp();
  }

  /** Returns the configuration in effect. */
  public Configuration configuration() {
    return configuration.current();
  }

  /** Returns the scopes, for parts of the process that touch keys. */
  public ServerScopes scopes() {
    return scopes;
  }

  /** Returns the ledger of all actions. */
  public Savings savings() {
    return savings;
  }

  /** Returns what listens and what is guarded, in a few aligned lines for people. */
  public List<String> summary() {
    return StartSummary.lines(
        configuration().settings(), doors.transport(), http(), grpc(), resp());
  }

  /**
   * Stops: not ready at once, then no new connections, then every running request is answered or
   * cut off at the deadline.
   *
   * @return whether everything ended in time
   */
  public boolean stop(Duration deadline) {
    return parts.stop(deadline);
  }

  private void tick() {
    ticker.refresh();
    clockMillis.refresh();
  }

  private ServerLimits limits(Settings settings, LimitsSettings asked, Timer timer)
      throws IOException {
    ServerLimits opened =
        ServerLimits.open(settings, asked, scopes, clockMillis, metrics, savings, health);
    parts.add("limits", deadline -> opened.close());
    configuration.onChange(
        next -> {
          LimitsSettings changed = next.settings().limits();
          if (changed != null) {
            opened.retune(next.settings(), changed);
          }
        });
    opened.service().guard(tables);
    explainer.learnOthers(opened::source);
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
    WebhookSettings asked = settings.webhook();
    if (asked.url() != null) {
      String sender = fleet == null ? NodeName.draw(null) : fleet.node();
      Webhook webhook = Webhook.start(asked, asked.url(), sender, metrics);
      scopes.listen(webhook::offer);
      parts.add("webhook", webhook::stop);
    }
  }

  private Shield shield(ShieldSettings asked) throws IOException {
    Health.Check known = health.expect("shield");
    Shield opened = Shield.open(asked, scopes, savings, metrics, clock, ticker, known::pass);
    parts.add("shield", deadline -> opened.close());
    explainer.learn(Shield.SCOPE, opened.keySource());
    configuration.onChange(
        next -> {
          ShieldSettings changed = next.settings().shield();
          if (changed != null) {
            opened.retune(changed);
          }
        });
    return opened;
  }

  private ServerFleet fleet(Settings settings, FleetSettings asked, StateFolder folder)
      throws IOException {
    ServerFleet opened = ServerFleet.open(settings, asked, folder);
    parts.add("fleet", opened::close);
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
                    "Shows all metrics in Prometheus's text format.",
                    request -> Response.of(200, PROMETHEUS, metricsText()).now())
                .producing(PROMETHEUS)
                .answering(200, "All metrics."))
        .addAll(
            new ConfigApi(
                    this::configuration, configuration::saved, doors::list, configuration::patch)
                .routes())
        .addAll(new HotApi(scopes, wall, explainer).routes())
        .addAll(past.routes())
        .addAll(new StatsApi(scopes).routes())
        .addAll(savingsApi.routes())
        .addAll(new StoresApi(stores).routes())
        .addAll(new TablesApi(tables, timer::execute).routes())
        .addAll(events.routes())
        .build(Version.current());
  }

  private byte[] metricsText() {
    return metrics.scrape().getBytes(StandardCharsets.UTF_8);
  }
}
