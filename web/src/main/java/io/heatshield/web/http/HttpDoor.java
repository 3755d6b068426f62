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
 * The door for people and programs that speak HTTP/1.1, with or without TLS.
 *
 * <p>It is made once, started once and stopped once. {@link #start} and {@link #stop} wait, so they
 * must not run on the transport's own threads.
 */
public final class HttpDoor {
  private static final Logger log = LoggerFactory.getLogger(HttpDoor.class);
  private static final byte[] FULL =
      String.join(
              "\r\n",
              "HTTP/1.1 503 Service Unavailable",
              "Content-Length: 0",
              "Retry-After: 1",
              "Connection: close",
              "",
              "")
          .getBytes(StandardCharsets.US_ASCII);

  private final HttpCounters counters;
  private final PortListener port;

  private HttpDoor(Builder builder) {
    counters = builder.counters;
    var protocol = new Http(builder);
    port =
        new PortListener(
            builder.transport,
            builder.address,
            builder.tls,
            builder.limits.maxConnections(),
            protocol);
  }

  /** Returns a door to furnish, without TLS, admin token or further names, with default limits. */
  public static Builder builder(Transport transport, InetSocketAddress address, Routes routes) {
    return new Builder(transport, address, routes);
  }

  /**
   * Starts to listen.
   *
   * @throws AddressTakenException if the address cannot be had
   */
  public void start() throws AddressTakenException {
    port.start();
  }

  /**
   * Returns the address that the door listens on, with the real port if it was told 0.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    return port.address();
  }

  /** Returns whether clients speak TLS to this door. */
  public boolean isTls() {
    return port.isTls();
  }

  /** Returns what the door counts. */
  public HttpCounters counters() {
    return counters;
  }

  /**
   * Stops: accepts no more, closes idle connections and event streams at once, lets running
   * requests finish until the deadline, and closes the rest.
   *
   * @return whether every request that ran could finish
   */
  public boolean stop(Duration deadline) {
    return port.stop(deadline);
  }

  /** The connections of the door, as its port sees them. */
  private final class Http implements PortListener.Protocol {
    private final Inside inside;

    Http(Builder builder) {
      inside =
          new Inside(
              new Dispatcher(
                  builder.routes,
                  HostRule.of(builder.address, builder.hosts),
                  new AdminGate(builder.token, counters)),
              builder.limits,
              counters,
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
      var decoder = new RequestDecoder(inside.limits);
      client
          .pipeline()
          .addLast(decoder, new HttpResponseEncoder(), new HttpConnection(inside, decoder));
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
      counters.connectionRejected();
      return FULL;
    }

    @Override
    public void opened() {
      counters.connectionOpened();
    }

    @Override
    public void closed() {
      counters.connectionClosed();
    }
  }

  /** What every connection of a door shares. */
  record Inside(
      Dispatcher dispatcher,
      HttpLimits limits,
      HttpCounters counters,
      AtomicInteger streams,
      BooleanSupplier stopping,
      RareLog strangers) {

    boolean enterStream() {
      if (streams.incrementAndGet() > limits.maxStreams()) {
        streams.decrementAndGet();
        return false;
      }
      return true;
    }

    void leaveStream() {
      streams.decrementAndGet();
    }
  }

  /** A door in the making. */
  public static final class Builder {
    private final Transport transport;
    private final InetSocketAddress address;
    private final Routes routes;
    private HttpLimits limits = HttpLimits.defaults();
    private HttpCounters counters = new HttpCounters();
    private AdminToken token = AdminToken.none();
    private Collection<String> hosts = List.of();
    private @Nullable TlsMaterial tls;

    private Builder(Transport transport, InetSocketAddress address, Routes routes) {
      this.transport = transport;
      this.address = address;
      this.routes = routes;
    }

    /** Sets the limits. */
    public Builder limits(HttpLimits bounds) {
      limits = bounds;
      return this;
    }

    /** Sets the counters, so that they can be bound to the metrics before the door is open. */
    public Builder counters(HttpCounters shared) {
      counters = shared;
      return this;
    }

    /** Sets the token that admin routes demand. */
    public Builder adminToken(AdminToken secret) {
      token = secret;
      return this;
    }

    /** Sets further names by which clients may call the door; see {@link HostRule}. */
    public Builder hosts(Collection<String> names) {
      hosts = names;
      return this;
    }

    /** Makes the door speak TLS, if there is material for it. */
    public Builder tls(@Nullable TlsMaterial material) {
      tls = material;
      return this;
    }

    /** Returns the door, closed. */
    public HttpDoor build() {
      return new HttpDoor(this);
    }
  }
}
