package io.heatshield.web.http;

import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.time.Ticker;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door for people and programs that speak HTTP/1.1, with or without TLS.
 *
 * <p>It is made once, started once and stopped once. {@link #start} and {@link #stop} wait, so they
 * must not run on the transport's own threads.
 */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpDoor {
  private static final Logger log = LoggerFactory.getLogger(HttpDoor.class);
  private static final Duration LAST_CLOSES = Duration.ofSeconds(1);
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

  private final Transport transport;
  private final InetSocketAddress wanted;
  private final Routes routes;
  private final HttpLimits limits;
  private final HttpCounters counters;
  private final AdminToken token;
  private final Collection<String> hosts;
  private final @Nullable TlsMaterial tls;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final AtomicInteger open = new AtomicInteger();
  private volatile @Nullable Channel listening;
  private final AtomicBoolean stopping = new AtomicBoolean();

  private HttpDoor(Builder builder) {
    transport = builder.transport;
    wanted = builder.address;
    routes = builder.routes;
    limits = builder.limits;
    counters = builder.counters;
    token = builder.token;
    hosts = List.copyOf(builder.hosts);
    tls = builder.tls;
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
    if (listening != null) {
      throw new IllegalStateException("the door is open already");
    }
    var dispatcher =
        new Dispatcher(routes, HostRule.of(wanted, hosts), new AdminGate(token, counters));
    var inside =
        new Inside(
            dispatcher,
            limits,
            counters,
            new AtomicInteger(),
            stopping,
            new RareLog(log, Ticker.system()));
    listening =
        transport.bind(
            wanted,
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                admit(client, inside);
              }
            });
  }

  /**
   * Returns the address that the door listens on, with the real port if it was told 0.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    Channel channel = listening;
    if (channel == null || !(channel.localAddress() instanceof InetSocketAddress address)) {
      throw new IllegalStateException("the door is not open");
    }
    return address;
  }

  /** Returns whether clients speak TLS to this door. */
  public boolean isTls() {
    return tls != null;
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
    Channel channel = listening;
    stopping.set(true);
    if (channel == null) {
      return true;
    }
    channel.close().awaitUninterruptibly();
    for (Channel client : clients) {
      client.eventLoop().execute(() -> drain(client));
    }
    boolean quiet =
        clients.newCloseFuture().awaitUninterruptibly(deadline.toNanos(), TimeUnit.NANOSECONDS);
    if (!quiet) {
      log.warn("closing {} connections that did not finish in time", clients.size());
      clients.close().awaitUninterruptibly(LAST_CLOSES.toNanos(), TimeUnit.NANOSECONDS);
    }
    return quiet;
  }

  private static void drain(Channel client) {
    HttpConnection connection = client.pipeline().get(HttpConnection.class);
    if (connection != null) {
      connection.drain();
    }
  }

  private void admit(Channel client, Inside inside) {
    if (open.incrementAndGet() > limits.maxConnections()) {
      open.decrementAndGet();
      counters.connectionRejected();
      rejectFull(client);
      return;
    }
    counters.connectionOpened();
    client
        .closeFuture()
        .addListener(
            closed -> {
              open.decrementAndGet();
              counters.connectionClosed();
            });
    clients.add(client);
    if (stopping.get()) {
      client.close();
      return;
    }
    client.config().setAutoRead(false);
    client.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    if (tls != null) {
      client.pipeline().addLast(tls.newHandler(client.alloc(), "http/1.1"));
    }
    var decoder = new RequestDecoder(limits);
    client
        .pipeline()
        .addLast(decoder, new HttpResponseEncoder(), new HttpConnection(inside, decoder));
  }

  private void rejectFull(Channel client) {
    if (tls != null) {
      client.close();
    } else {
      client.writeAndFlush(Unpooled.wrappedBuffer(FULL)).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** What every connection of a door shares. */
  record Inside(
      Dispatcher dispatcher,
      HttpLimits limits,
      HttpCounters counters,
      AtomicInteger streams,
      AtomicBoolean stopping,
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
