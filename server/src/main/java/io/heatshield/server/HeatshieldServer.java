package io.heatshield.server;

import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.server.api.ConfigApi;
import io.heatshield.server.api.EventsApi;
import io.heatshield.server.api.HistoryApi;
import io.heatshield.server.api.HotApi;
import io.heatshield.server.api.LimitApi;
import io.heatshield.server.api.SavingsApi;
import io.heatshield.server.api.StatsApi;
import io.heatshield.server.api.StoresApi;
import io.heatshield.server.api.TablesApi;
import io.heatshield.server.api.WallTime;
import io.heatshield.server.config.Address;
import io.heatshield.server.config.Change;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.ConfigWatcher;
import io.heatshield.server.config.Configuration;
import io.heatshield.server.config.LimitsSettings;
import io.heatshield.server.config.LoadResult;
import io.heatshield.server.config.ServerSettings;
import io.heatshield.server.data.DataDoor;
import io.heatshield.server.data.ServerData;
import io.heatshield.server.grpc.GrpcCounters;
import io.heatshield.server.grpc.GrpcDoor;
import io.heatshield.server.grpc.GrpcLimits;
import io.heatshield.server.history.HeatHistory;
import io.heatshield.server.history.HeatRecorder;
import io.heatshield.server.http.AdminToken;
import io.heatshield.server.http.Health;
import io.heatshield.server.http.HealthRoutes;
import io.heatshield.server.http.HttpCounters;
import io.heatshield.server.http.HttpDoor;
import io.heatshield.server.http.Response;
import io.heatshield.server.http.Route;
import io.heatshield.server.http.Routes;
import io.heatshield.server.http.StaticFiles;
import io.heatshield.server.limit.ServerLimits;
import io.heatshield.server.log.Logging;
import io.heatshield.server.metrics.Metrics;
import io.heatshield.server.net.AddressTakenException;
import io.heatshield.server.net.Transport;
import io.heatshield.server.scope.ServerScopes;
import io.heatshield.server.state.StateFolder;
import io.heatshield.server.store.ServerStores;
import io.heatshield.server.table.ServerTables;
import io.heatshield.server.tls.TlsFiles;
import io.heatshield.server.tls.TlsMaterial;
import io.heatshield.time.CoarseClock;
import io.heatshield.time.CoarseTicker;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server: its parts are started in order, and stopped in reverse.
 *
 * <p>It is ready once {@link #start} returns, or later when the Redis that it needs has answered.
 * Any thread but an event loop may stop it; stopping twice is the same as once.
 */
public final class HeatshieldServer {
  private static final Logger log = LoggerFactory.getLogger(HeatshieldServer.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration HISTORY = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofMillis(1);
  private static final Duration MAINTENANCE = Duration.ofMillis(250);
  private static final Duration TABLE_SAVES = Duration.ofSeconds(1);
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final StopOrder parts = new StopOrder();
  private final CoarseTicker ticker = new CoarseTicker(Ticker.system());
  private final Clock clock = Clock.systemUTC();
  private final CoarseClock clockMillis = new CoarseClock(clock::millis);
  private final Savings savings = new Savings();
  private final HeatHistory history = new HeatHistory();
  private final EventsApi events = new EventsApi();
  private final Metrics metrics = new Metrics();
  private final Health health = new Health();
  private final AtomicLong reloads = new AtomicLong();
  private final AtomicLong refusedReloads = new AtomicLong();
  private final Transport transport;
  private final HttpDoor http;
  private final String httpHost;
  private final ServerScopes scopes;
  private final ServerTables tables;
  private final @Nullable ServerLimits limits;
  private final @Nullable GrpcDoor grpc;
  private final ServerStores stores;
  private final ServerData clients;
  private final DataDoor data;
  private volatile Configuration current;

  private HeatshieldServer(ConfigLoader loader, Configuration configuration, @Nullable Path file)
      throws IOException {
    current = configuration;
    try {
      ServerSettings settings = configuration.settings().server();
      httpHost = settings.http().host();
      Logging.apply(configuration.settings().log());
      parts.add("metrics", deadline -> metrics.close());
      Timer timer = new Timer();
      parts.add("timer", timer::stop);
      timer.every(TICK, this::tick);
      StateFolder folder = StateFolder.open(settings.stateDir());
      HashSecret secret = folder.hashSecret();
      KeyHash keyHash = KeyHash.fast(secret);
      scopes = new ServerScopes(configuration.settings().detect(), keyHash, ticker, clock, metrics);
      scopes.listen(events::publish);
      timer.every(MAINTENANCE, scopes::maintain);
      tables = new ServerTables(secret, ticker, clock, scopes, savings, metrics, folder);
      tables.take(configuration.settings().tables());
      timer.every(TABLE_SAVES, tables::saveDue);
      parts.add("tables", deadline -> tables.save());
      timer.every(HISTORY, new HeatRecorder(scopes, clock, history)::record);
      AdminToken token =
          settings.adminTokenFile() == null
              ? AdminToken.none()
              : AdminToken.fromFile(settings.adminTokenFile());
      stores = ServerStores.open(configuration.settings(), secret, savings, ticker, metrics);
      parts.add("stores", deadline -> stores.close());
      clients =
          ServerData.open(
              configuration.settings(),
              stores,
              tables,
              scopes,
              savings,
              keyHash,
              token,
              clock,
              ticker);
      // After the stores: a domain without a scope is still limited, a store needs its scope.
      limits = limits(configuration, keyHash, timer);
      transport = new Transport(0);
      parts.add("event loops", transport::stop);

      TlsMaterial tls = settings.tls() == null ? null : TlsMaterial.load(tlsFiles(settings.tls()));
      Health.Check open = health.expect("http door");
      var counters = new HttpCounters();
      HttpMeters.bind(counters, metrics);
      bindReloads();
      http =
          HttpDoor.builder(transport, socket(settings.http()), routes())
              .adminToken(token)
              .tls(tls)
              .counters(counters)
              .build();
      open("server.http", http::start);
      parts.add("http door", http::stop);
      grpc = limits == null ? null : grpc(limits, tls, timer);
      data = data(tls, timer);
      timer.every(POLL, token::refresh);
      if (tls != null) {
        timer.every(POLL, tls::refresh);
      }
      if (file != null) {
        ConfigWatcher watcher =
            ConfigWatcher.of(loader, file, this::configuration, new ReloadListener());
        timer.every(POLL, watcher::poll);
      }
      parts.add("readiness", deadline -> health.stopping());
      open.pass();
    } catch (IOException | RuntimeException e) {
      parts.stop(Duration.ofSeconds(1));
      throw e;
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
    var address = new Address(httpHost, http.address().getPort());
    return URI.create((http.isTls() ? "https://" : "http://") + address + "/");
  }

  /** Returns the address of the gRPC door, with the port it really has, if it is open. */
  public Optional<Address> grpc() {
    return Optional.ofNullable(grpc)
        .map(
            door ->
                new Address(current.settings().server().grpc().host(), door.address().getPort()));
  }

  /** Returns the address of the data door, with the port it really has. */
  public Address resp() {
    return new Address(current.settings().server().resp().host(), data.address().getPort());
  }

  /** Returns the configuration in effect. */
  public Configuration configuration() {
    return current;
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
    return StartSummary.lines(current.settings(), transport.name(), http(), grpc(), resp());
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

  private @Nullable ServerLimits limits(Configuration configuration, KeyHash keyHash, Timer timer)
      throws IOException {
    LimitsSettings settings = configuration.settings().limits();
    if (settings == null) {
      return null;
    }
    ServerLimits opened =
        ServerLimits.open(
            configuration.settings(),
            settings,
            scopes,
            keyHash,
            clockMillis,
            metrics,
            savings,
            health);
    parts.add("limits", deadline -> opened.close());
    opened.service().guard(tables);
    timer.every(POLL, opened::poll);
    timer.every(MAINTENANCE, opened::maintain);
    return opened;
  }

  private GrpcDoor grpc(ServerLimits asked, @Nullable TlsMaterial tls, Timer timer)
      throws IOException {
    Address wanted = current.settings().server().grpc();
    var counters = new GrpcCounters();
    GrpcMeters.bind(counters, metrics);
    var door =
        new GrpcDoor(
            transport, socket(wanted), asked.service(), tls, GrpcLimits.defaults(), counters);
    Health.Check ready = health.expect("grpc door");
    open("server.grpc", door::start);
    parts.add("grpc door", door::stop);
    ready.pass();
    timer.every(MAINTENANCE, () -> door.serving(health.isReady()));
    return door;
  }

  private DataDoor data(@Nullable TlsMaterial tls, Timer timer) throws IOException {
    DataMeters.bind(clients.counters(), metrics);
    DataDoor door = clients.door(transport, socket(current.settings().server().resp()), tls);
    Health.Check ready = health.expect("data door");
    open("server.resp", door::start);
    parts.add("data door", door::stop);
    ready.pass();
    timer.every(POLL, clients::refresh);
    timer.every(POLL, door::sweep);
    return door;
  }

  /** Opens a door; if it cannot have its address, says which setting holds that. */
  private void open(String setting, Opening door) throws IOException {
    try {
      door.open();
    } catch (AddressTakenException e) {
      throw new IOException(
          setting
              + " ("
              + origin(current, setting)
              + "): "
              + e.getMessage()
              + "; stop what listens there, or give "
              + setting
              + " another port",
          e);
    }
  }

  private Routes routes() {
    Routes.Builder routes = Routes.builder();
    if (limits != null) {
      routes.addAll(new LimitApi(limits.service()).routes());
    }
    return routes
        .addAll(StaticFiles.site())
        .addAll(HealthRoutes.of(health))
        .add(
            Route.get(
                    "/metrics",
                    "Shows all metrics in Prometheus's text format.",
                    request -> Response.of(200, PROMETHEUS, metricsText()).now())
                .producing(PROMETHEUS))
        .addAll(new ConfigApi(this::configuration, this::doors, this::patch).routes())
        .addAll(new HotApi(scopes, new WallTime(ticker, clock), clients::context).routes())
        .addAll(new HistoryApi(history, clock).routes())
        .addAll(new StatsApi(scopes).routes())
        .addAll(new SavingsApi(savings).routes())
        .addAll(new StoresApi(stores).routes())
        .addAll(new TablesApi(tables).routes())
        .addAll(events.routes())
        .build(Version.current());
  }

  private List<ConfigApi.Door> doors() {
    var doors = new ArrayList<ConfigApi.Door>();
    doors.add(new ConfigApi.Door("http", http().toString()));
    grpc().ifPresent(address -> doors.add(new ConfigApi.Door("grpc", address.toString())));
    doors.add(new ConfigApi.Door("resp", resp().toString()));
    return doors;
  }

  /** Changes live settings: all of them, or none with every reason why. */
  private synchronized LoadResult patch(Map<String, String> values) {
    Configuration before = current;
    LoadResult result = before.with(values);
    if (result instanceof LoadResult.Valid valid) {
      take(valid.configuration());
      List<Change> changes = valid.configuration().changesFrom(before);
      log.info("settings changed live: {}", changes);
    }
    return result;
  }

  /** Makes a configuration the one in effect. */
  private synchronized void take(Configuration next) {
    current = next;
    Logging.apply(next.settings().log());
    scopes.retune(next.settings().detect());
    stores.retune(next.settings());
    tables.take(next.settings().tables());
    LimitsSettings changed = next.settings().limits();
    if (limits != null && changed != null) {
      limits.retune(next.settings(), changed);
    }
  }

  private byte[] metricsText() {
    return metrics.scrape().getBytes(StandardCharsets.UTF_8);
  }

  private void bindReloads() {
    metrics.counter("config.reloads", "Saved configurations that were taken over", reloads::get);
    metrics.counter(
        "config.reloads.refused",
        "Saved configurations that were refused for a fault",
        refusedReloads::get);
  }

  private static InetSocketAddress socket(Address address) {
    return new InetSocketAddress(address.host(), address.port());
  }

  private static TlsFiles tlsFiles(ServerSettings.Tls tls) {
    return new TlsFiles(tls.cert(), tls.key(), Optional.ofNullable(tls.clientCa()));
  }

  private static String origin(Configuration configuration, String path) {
    return configuration.effective().stream()
        .filter(setting -> setting.path().equals(path))
        .map(setting -> setting.origin().toString())
        .findFirst()
        .orElse("default");
  }

  /** The moment that a door begins to listen. */
  @FunctionalInterface
  private interface Opening {
    void open() throws AddressTakenException;
  }

  private final class ReloadListener implements ConfigWatcher.Listener {
    @Override
    public void changed(LoadResult.Valid result, List<Change> changes) {
      reloads.incrementAndGet();
      take(result.configuration());
      log.info("configuration reloaded, {} settings changed", changes.size());
      changes.forEach(change -> log.info("  {}", change));
      result.warnings().forEach(warning -> log.warn("{}", warning));
    }

    @Override
    public void refused(LoadResult.Invalid result) {
      refusedReloads.incrementAndGet();
      log.error("configuration not reloaded, the old one stays in effect:");
      result.faults().forEach(fault -> log.error("  {}", fault));
    }
  }
}
