package io.heatshield.server;

import io.heatshield.config.Configuration;
import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.value.Address;
import io.heatshield.config.value.HostName;
import io.heatshield.data.DataMeters;
import io.heatshield.data.RespPort;
import io.heatshield.data.ServerData;
import io.heatshield.rls.ServerLimits;
import io.heatshield.rls.grpc.GrpcCounters;
import io.heatshield.rls.grpc.GrpcDoor;
import io.heatshield.rls.grpc.GrpcLimits;
import io.heatshield.rls.grpc.GrpcMeters;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.shield.Shield;
import io.heatshield.web.api.ConfigApi;
import io.heatshield.web.http.HttpCounters;
import io.heatshield.web.http.HttpDoor;
import io.heatshield.web.http.HttpMeters;
import io.heatshield.web.http.Routes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The doors of one server and the event loops behind them, which HTTP shares with no other door.
 *
 * <p>Each is opened by one call, told to the readiness check and stopped with the server's other
 * parts. Opening is for the thread that starts the server; addresses may be asked by any thread
 * once their door is open.
 */
final class ServerDoors {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration SERVING = Duration.ofMillis(250);

  private final Configuration configuration;
  private final Metrics metrics;
  private final Health health;
  private final StopOrder parts;
  private final Timer timer;
  private final Transport transport;
  private final Transport httpTransport;
  private final @Nullable TlsMaterial tls;
  private volatile @Nullable HttpDoor http;
  private volatile @Nullable GrpcDoor grpc;
  private volatile @Nullable RespPort data;

  ServerDoors(
      Configuration configuration, Metrics metrics, Health health, StopOrder parts, Timer timer)
      throws IOException {
    this.configuration = configuration;
    this.metrics = metrics;
    this.health = health;
    this.parts = parts;
    this.timer = timer;
    transport = new Transport(0);
    parts.add("event loops", transport::stop);
    // HTTP has loops of its own: a command that hangs in an engine must not keep /readyz from
    // saying so.
    httpTransport = new Transport(0);
    parts.add("http event loops", httpTransport::stop);
    tls = settings().tls() == null ? null : TlsMaterial.load(tlsFiles(settings().tls()));
    if (tls != null) {
      timer.every(POLL, tls::refresh);
    }
  }

  void openHttp(Routes routes, AdminToken token) throws IOException {
    var counters = new HttpCounters();
    HttpMeters.bind(counters, metrics);
    HttpDoor door =
        HttpDoor.builder(httpTransport, socket(settings().http()), routes)
            .adminToken(token)
            .hosts(settings().hosts().stream().map(HostName::name).toList())
            .tls(tls)
            .counters(counters)
            .build();
    http = door;
    open("http", door::start, door::stop);
  }

  void openGrpc(ServerLimits asked) throws IOException {
    var counters = new GrpcCounters();
    GrpcMeters.bind(counters, metrics);
    var door =
        new GrpcDoor(
            transport,
            socket(settings().grpc()),
            asked.service(),
            tls,
            GrpcLimits.defaults(),
            counters);
    grpc = door;
    open("grpc", door::start, door::stop);
    timer.every(SERVING, () -> door.serving(health.isReady()));
  }

  /** Opens the data door, to the shield if there is one. */
  void openData(ServerData clients, @Nullable Shield shield) throws IOException {
    InetSocketAddress address = socket(settings().resp());
    RespPort door =
        shield == null
            ? clients.port(transport, address, tls)
            : shield.door(transport, address, tls);
    DataMeters.bind(door.counters(), metrics);
    data = door;
    open("resp", door::start, door::stop);
    timer.every(POLL, clients::refresh);
    timer.every(POLL, door::sweep);
  }

  /** Returns the name of what moves bytes, such as {@code epoll}. */
  String transport() {
    return transport.name();
  }

  /** Returns the address of the HTTP door as it was configured, with the port it really has. */
  URI http() {
    HttpDoor door = Objects.requireNonNull(http, "the http door is not open");
    var address = new Address(settings().http().host(), door.address().getPort());
    return URI.create((door.isTls() ? "https://" : "http://") + address + "/");
  }

  /** Returns the address of the gRPC door, with the port it really has, if it is open. */
  Optional<Address> grpc() {
    return Optional.ofNullable(grpc)
        .map(door -> new Address(settings().grpc().host(), door.address().getPort()));
  }

  /** Returns the address of the data door, with the port it really has. */
  Address resp() {
    RespPort door = Objects.requireNonNull(data, "the data door is not open");
    return new Address(settings().resp().host(), door.address().getPort());
  }

  /** Returns what listens, with the ports it really has. */
  List<ConfigApi.Door> list() {
    var doors = new ArrayList<ConfigApi.Door>();
    doors.add(new ConfigApi.Door("http", http().toString()));
    grpc().ifPresent(address -> doors.add(new ConfigApi.Door("grpc", address.toString())));
    doors.add(new ConfigApi.Door("resp", resp().toString()));
    return doors;
  }

  /** Opens a door; if it cannot have its address, says which setting holds that. */
  private void open(String name, Opening door, StopOrder.Stop stop) throws IOException {
    Health.Check ready = health.expect(name + " door");
    String setting = "server." + name;
    try {
      door.open();
    } catch (AddressTakenException e) {
      throw new IOException(
          setting
              + " ("
              + origin(setting)
              + "): "
              + e.getMessage()
              + "; stop what listens there, or give "
              + setting
              + " another port",
          e);
    }
    parts.add(name + " door", stop);
    ready.pass();
  }

  private String origin(String path) {
    return configuration.effective().stream()
        .filter(setting -> setting.path().equals(path))
        .map(setting -> setting.origin().toString())
        .findFirst()
        .orElse("default");
  }

  private ServerSettings settings() {
    return configuration.settings().server();
  }

  private static InetSocketAddress socket(Address address) {
    return new InetSocketAddress(address.host(), address.port());
  }

  private static TlsFiles tlsFiles(ServerSettings.Tls tls) {
    return new TlsFiles(tls.cert(), tls.key(), Optional.ofNullable(tls.clientCa()));
  }

  /** The moment that a door begins to listen. */
  @FunctionalInterface
  private interface Opening {
    void open() throws AddressTakenException;
  }
}
