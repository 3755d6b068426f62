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
import io.heatshield.rls.grpc.GrpcLimits;
import io.heatshield.rls.grpc.GrpcPort;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.tls.TlsFiles;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.shield.Shield;
import io.heatshield.web.api.ConfigApi;
import io.heatshield.web.http.HttpMeters;
import io.heatshield.web.http.HttpServer;
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
 * The HTTP, gRPC and RESP ports of a server, and their event loops.
 *
 * <p>Each open port is a readiness check and a component of the shutdown sequence. Ports are opened
 * by the thread that starts the server; then any thread may read their addresses.
 */
final class ServerPorts {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration HEALTH_INTERVAL = Duration.ofMillis(250);

  private final Configuration configuration;
  private final Metrics metrics;
  private final Health health;
  private final ShutdownSequence shutdown;
  private final Timer timer;
  private final Transport transport;
  private final Transport httpTransport;
  private final @Nullable TlsMaterial tls;
  private volatile @Nullable HttpServer http;
  private volatile @Nullable GrpcPort grpc;
  private volatile @Nullable RespPort data;

  ServerPorts(
      Configuration configuration,
      Metrics metrics,
      Health health,
      ShutdownSequence shutdown,
      Timer timer)
      throws IOException {
    this.configuration = configuration;
    this.metrics = metrics;
    this.health = health;
    this.shutdown = shutdown;
    this.timer = timer;
    transport = new Transport(0);
    shutdown.add("event loops", transport::stop);
    // HTTP has its own loops: a command that hangs in an engine must not block /readyz.
    httpTransport = new Transport(0);
    shutdown.add("http event loops", httpTransport::stop);
    tls = settings().tls() == null ? null : TlsMaterial.load(tlsFiles(settings().tls()));
    if (tls != null) {
      timer.every(POLL, tls::refresh);
    }
  }

  void openHttp(Routes routes, AdminToken token) throws IOException {
    var meters = new HttpMeters();
    meters.bind(metrics);
    HttpServer server =
        HttpServer.builder(httpTransport, socket(settings().http()), routes)
            .adminToken(token)
            .hosts(settings().hosts().stream().map(HostName::name).toList())
            .tls(tls)
            .meters(meters)
            .build();
    http = server;
    open("http", server::start, server::stop);
  }

  void openGrpc(ServerLimits limits) throws IOException {
    var counters = new GrpcCounters();
    counters.bind(metrics);
    var endpoint =
        new GrpcPort(
            transport,
            socket(settings().grpc()),
            limits.service(),
            tls,
            GrpcLimits.defaults(),
            counters);
    grpc = endpoint;
    open("grpc", endpoint::start, endpoint::stop);
    timer.every(HEALTH_INTERVAL, () -> endpoint.serving(health.isReady()));
  }

  /** Opens the RESP port, of the shield if there is one. */
  void openData(ServerData clients, @Nullable Shield shield) throws IOException {
    InetSocketAddress address = socket(settings().resp());
    RespPort endpoint =
        shield == null
            ? clients.port(transport, address, tls)
            : shield.port(transport, address, tls);
    DataMeters.bind(endpoint.counters(), metrics);
    data = endpoint;
    open("resp", endpoint::start, endpoint::stop);
    timer.every(POLL, clients::refresh);
    timer.every(POLL, endpoint::sweep);
  }

  /** Returns the name of the transport, such as {@code epoll}. */
  String transport() {
    return transport.name();
  }

  /** Returns the configured HTTP address, with the actual port. */
  URI http() {
    HttpServer server = Objects.requireNonNull(http, "the http port is not open");
    var address = new Address(settings().http().host(), server.address().getPort());
    return URI.create((server.isTls() ? "https://" : "http://") + address + "/");
  }

  /** Returns the configured gRPC address, with the actual port, if the port is open. */
  Optional<Address> grpc() {
    return Optional.ofNullable(grpc)
        .map(endpoint -> new Address(settings().grpc().host(), endpoint.address().getPort()));
  }

  /** Returns the configured RESP address, with the actual port. */
  Address resp() {
    RespPort port = Objects.requireNonNull(data, "the resp port is not open");
    return new Address(settings().resp().host(), port.address().getPort());
  }

  /** Returns the bytes of incomplete commands and unread replies of the RESP port's clients. */
  long heldBytes() {
    RespPort port = data;
    return port == null ? 0 : port.heldBytes();
  }

  /** Returns the open ports. */
  List<ConfigApi.Door> list() {
    var endpoints = new ArrayList<ConfigApi.Door>();
    endpoints.add(new ConfigApi.Door("http", http().toString()));
    grpc().ifPresent(address -> endpoints.add(new ConfigApi.Door("grpc", address.toString())));
    endpoints.add(new ConfigApi.Door("resp", resp().toString()));
    return endpoints;
  }

  /** Opens a port; if its address is taken, the exception names the setting. */
  private void open(String name, Opening port, ShutdownSequence.Stop stop) throws IOException {
    Health.Check ready = health.expect(name + " port");
    String setting = "server." + name;
    try {
      port.open();
    } catch (AddressTakenException e) {
      throw new IOException(
          setting
              + " ("
              + origin(setting)
              + "): "
              + e.getMessage()
              + "; stop the other process, or give "
              + setting
              + " another port",
          e);
    }
    shutdown.add(name + " port", stop);
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

  @FunctionalInterface
  private interface Opening {
    void open() throws AddressTakenException;
  }
}
