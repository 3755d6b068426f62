package io.heatshield.web.http;

import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.PortListener;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.time.Ticker;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 server, with or without TLS.
 *
 * <p>It can be started and stopped once. {@link #start} and {@link #stop} block, so they must not
 * be called on an event loop.
 */
public final class HttpServer {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final byte[] UNAVAILABLE =
      String.join(
              "\r\n",
              "HTTP/1.1 503 Service Unavailable",
              "Content-Length: 0",
              "Retry-After: 1",
              "Connection: close",
              "",
              "")
          .getBytes(StandardCharsets.US_ASCII);

  private final HttpMeters meters;
  private final PortListener port;

  private HttpServer(Builder builder) {
    meters = builder.meters;
    port =
        new PortListener(
            builder.transport,
            builder.address,
            builder.tls,
            builder.limits.maxConnections(),
            new Http(builder));
  }

  /** Returns a builder with default limits, without TLS, admin token and additional host names. */
  public static Builder builder(Transport transport, InetSocketAddress address, Routes routes) {
    return new Builder(transport, address, routes);
  }

  /**
   * Starts listening.
   *
   * @throws AddressTakenException if the address cannot be bound
   */
  public void start() throws AddressTakenException {
    port.start();
  }

  /**
   * Returns the bound address, with the actual port if 0 was requested.
   *
   * @throws IllegalStateException if the server is not listening
   */
  public InetSocketAddress address() {
    return port.address();
  }

  /** Returns whether clients must use TLS. */
  public boolean isTls() {
    return port.isTls();
  }

  HttpMeters meters() {
    return meters;
  }

  /**
   * Stops accepting connections, closes idle connections and event streams immediately, waits for
   * running requests until the deadline, and closes the remaining connections.
   *
   * @return whether every running request completed
   */
  public boolean stop(Duration deadline) {
    return port.stop(deadline);
  }

  private final class Http implements PortListener.Protocol {
    private final Context context;

    Http(Builder builder) {
      context =
          new Context(
              new Dispatcher(
                  builder.routes,
                  HostRule.of(builder.address, builder.hosts),
                  new AdminGate(builder.token, meters)),
              builder.limits,
              meters,
              new AtomicInteger(),
              () -> port.isStopping(),
              new RareLog(log, Ticker.system()));
    }

    @Override
    public List<String> tlsProtocols() {
      return List.of("http/1.1");
    }

    @Override
    public void init(Channel client) {
      client.config().setAutoRead(false);
      var decoder = new RequestDecoder(context.limits);
      client
          .pipeline()
          .addLast(decoder, new HttpResponseEncoder(), new HttpConnection(context, decoder));
    }

    @Override
    public void drain(Channel client) {
      HttpConnection connection = client.pipeline().get(HttpConnection.class);
      if (connection != null) {
        connection.drain();
      }
    }

    @Override
    public byte[] reject() {
      meters.rejectedConnections.increment();
      return UNAVAILABLE;
    }

    @Override
    public void opened() {
      meters.connections.increment();
    }

    @Override
    public void closed() {
      meters.connections.decrement();
    }
  }

  /** The state that all connections of a server share. */
  record Context(
      Dispatcher dispatcher,
      HttpLimits limits,
      HttpMeters meters,
      AtomicInteger streams,
      BooleanSupplier stopping,
      RareLog protocolErrors) {

    /** Returns whether another event stream may be opened, and counts it if so. */
    boolean acquireStream() {
      if (streams.incrementAndGet() > limits.maxStreams()) {
        streams.decrementAndGet();
        return false;
      }
      return true;
    }

    void releaseStream() {
      streams.decrementAndGet();
    }
  }

  /** Builds a server. */
  public static final class Builder {
    private final Transport transport;
    private final InetSocketAddress address;
    private final Routes routes;
    private HttpLimits limits = HttpLimits.defaults();
    private HttpMeters meters = new HttpMeters();
    private AdminToken token = AdminToken.none();
    private Collection<String> hosts = List.of();
    private @Nullable TlsMaterial tls;

    private Builder(Transport transport, InetSocketAddress address, Routes routes) {
      this.transport = transport;
      this.address = address;
      this.routes = routes;
    }

    /** Sets the limits. */
    Builder limits(HttpLimits limits) {
      this.limits = limits;
      return this;
    }

    /** Sets the counters. */
    public Builder meters(HttpMeters meters) {
      this.meters = meters;
      return this;
    }

    /** Sets the token that admin routes require. */
    public Builder adminToken(AdminToken token) {
      this.token = token;
      return this;
    }

    /** Sets additional host names that clients may use; see {@link HostRule}. */
    public Builder hosts(Collection<String> hosts) {
      this.hosts = hosts;
      return this;
    }

    /** Enables TLS, unless the material is null. */
    public Builder tls(@Nullable TlsMaterial tls) {
      this.tls = tls;
      return this;
    }

    /** Returns the server, not yet started. */
    public HttpServer build() {
      return new HttpServer(this);
    }
  }
}
