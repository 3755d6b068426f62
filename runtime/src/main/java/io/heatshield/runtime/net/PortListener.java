package io.heatshield.runtime.net;

import io.heatshield.runtime.tls.TlsMaterial;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that accepts a bounded number of connections, with or without TLS, and drains them when it
 * stops.
 *
 * <p>It is started once and stopped once. {@link #start} and {@link #stop} block and must not be
 * called on the transport's own threads. Thread-safe otherwise.
 */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class PortListener {
  private static final Logger log = LoggerFactory.getLogger(PortListener.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Transport transport;
  private final InetSocketAddress wanted;
  private final @Nullable TlsMaterial tls;
  private final int maxConnections;
  private final Protocol protocol;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final AtomicInteger open = new AtomicInteger();
  private volatile @Nullable Channel listening;
  private volatile boolean stopping;

  /** The protocol of the connections of a port. */
  public interface Protocol {
    /** Returns the protocols offered in the TLS handshake (ALPN). */
    default List<String> tlsProtocols() {
      return List.of();
    }

    /** Sets the options and adds the handlers of a new connection; on its event loop. */
    void init(Channel client);

    /** Closes a connection after its current requests are answered; on its event loop. */
    void drain(Channel client);

    /** Counts a rejected connection; returns the bytes to send if it has no TLS. */
    byte[] reject();

    /** Counts a connection that was accepted. */
    void opened();

    /** Counts the end of a connection that was accepted. */
    void closed();
  }

  /**
   * Creates a port that does not listen yet.
   *
   * @param tls the certificate, or null for plaintext
   */
  public PortListener(
      Transport transport,
      InetSocketAddress address,
      @Nullable TlsMaterial tls,
      int maxConnections,
      Protocol protocol) {
    this.transport = transport;
    this.wanted = address;
    this.tls = tls;
    this.maxConnections = maxConnections;
    this.protocol = protocol;
  }

  /**
   * Starts listening.
   *
   * @throws AddressTakenException if the address is in use, not of this machine or not allowed
   */
  public void start() throws AddressTakenException {
    if (listening != null) {
      throw new IllegalStateException("port must not be listening");
    }
    listening =
        transport.bind(
            wanted,
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                accept(client);
              }
            });
  }

  /**
   * Returns the listening address, with the actual port if it was configured as 0.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    Channel channel = listening;
    if (channel == null || !(channel.localAddress() instanceof InetSocketAddress address)) {
      throw new IllegalStateException("port must be listening");
    }
    return address;
  }

  /** Returns whether connections use TLS. */
  public boolean isTls() {
    return tls != null;
  }

  /** Returns whether {@link #stop} was called. */
  public boolean isStopping() {
    return stopping;
  }

  /** Returns the open connections whose handlers are complete. */
  public Iterable<Channel> clients() {
    return clients;
  }

  /**
   * Stops accepting connections, drains them until the deadline, and closes the rest.
   *
   * @return whether every connection was drained in time
   */
  public boolean stop(Duration deadline) {
    Channel channel = listening;
    stopping = true;
    if (channel == null) {
      return true;
    }
    channel.close().awaitUninterruptibly();
    for (Channel client : clients) {
      client.eventLoop().execute(() -> protocol.drain(client));
    }
    boolean quiet =
        clients.newCloseFuture().awaitUninterruptibly(deadline.toNanos(), TimeUnit.NANOSECONDS);
    if (!quiet) {
      log.warn(
          "closing {} connections to {} that did not finish in time",
          clients.size(),
          Transport.text(wanted));
      clients.close().awaitUninterruptibly(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    }
    return quiet;
  }

  private void accept(Channel client) {
    if (open.incrementAndGet() > maxConnections) {
      open.decrementAndGet();
      ByteBuf full = Unpooled.wrappedBuffer(protocol.reject());
      if (tls != null) {
        client.close();
      } else {
        client.writeAndFlush(full).addListener(ChannelFutureListener.CLOSE);
      }
      return;
    }
    protocol.opened();
    client
        .closeFuture()
        .addListener(
            closed -> {
              open.decrementAndGet();
              protocol.closed();
            });
    client.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    if (tls != null) {
      String[] offered = protocol.tlsProtocols().toArray(new String[0]);
      client.pipeline().addLast(tls.newHandler(client.alloc(), offered));
    }
    protocol.init(client);
    // Last: timers use every client in the group, so its handlers must be complete.
    clients.add(client);
    if (stopping) {
      client.close();
    }
  }
}
