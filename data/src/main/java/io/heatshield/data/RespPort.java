package io.heatshield.data;

import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.ServerContext;
import io.heatshield.data.command.session.Peer;
import io.heatshield.data.command.session.Session;
import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.PortListener;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port for clients that speak the Redis protocol, with or without TLS.
 *
 * <p>It is started once and stopped once. {@link #start} and {@link #stop} block, so they must not
 * be called on the transport's threads. {@link #sweep} must be called about once a second.
 */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class RespPort {
  private static final Logger log = LoggerFactory.getLogger(RespPort.class);
  private static final byte[] FULL =
      "-ERR max number of clients reached\r\n".getBytes(StandardCharsets.US_ASCII);

  private final DataLimits limits;
  private final DataCounters counters;
  private final Ticker ticker;
  private final Function<AtomicLong, PortConnection> connections;
  private final AtomicLong held = new AtomicLong();
  private final ConnectionErrorHandler faults;
  private final PortListener port;

  /**
   * Creates a port to stores that does not listen yet.
   *
   * @param tls the server's certificate, or null for plaintext
   */
  public RespPort(
      Transport transport,
      InetSocketAddress address,
      ServerContext server,
      @Nullable TlsMaterial tls,
      DataLimits limits,
      DataCounters counters) {
    this(
        transport,
        address,
        tls,
        limits,
        counters,
        server.ticker(),
        connections(server, limits, counters));
  }

  /**
   * Creates a port with another kind of connections.
   *
   * @param connections creates the handler of one client, given the bytes that all clients hold
   */
  public RespPort(
      Transport transport,
      InetSocketAddress address,
      @Nullable TlsMaterial tls,
      DataLimits limits,
      DataCounters counters,
      Ticker ticker,
      Function<AtomicLong, PortConnection> connections) {
    this.limits = limits;
    this.counters = counters;
    this.ticker = ticker;
    this.connections = connections;
    this.faults = new ConnectionErrorHandler(counters);
    this.port = new PortListener(transport, address, tls, limits.maxClients(), new Resp());
  }

  private static Function<AtomicLong, PortConnection> connections(
      ServerContext server, DataLimits limits, DataCounters counters) {
    var dispatcher = new Dispatcher(server);
    var warnings = new RareLog(log, Ticker.system());
    return held ->
        new DataConnection(new Shared(server, dispatcher, limits, counters, held, warnings));
  }

  /**
   * Starts to listen.
   *
   * @throws AddressTakenException if the address is not available
   */
  public void start() throws AddressTakenException {
    port.start();
  }

  /**
   * Returns the address that it listens on, with the actual port if it was configured as 0.
   *
   * @throws IllegalStateException if it does not listen
   */
  public InetSocketAddress address() {
    return port.address();
  }

  /** Returns whether clients use TLS. */
  public boolean isTls() {
    return port.isTls();
  }

  public DataCounters counters() {
    return counters;
  }

  /** Returns the bytes of incomplete commands and unread replies of all clients. */
  public long heldBytes() {
    return held.get();
  }

  /** Closes clients that are idle, send a command too slowly or do not read their replies. */
  public void sweep() {
    long now = ticker.nanos();
    for (Channel client : port.clients()) {
      PortConnection connection = client.pipeline().get(PortConnection.class);
      try {
        if (connection != null) {
          connection.sweep(now);
        }
      } catch (RuntimeException e) {
        // A failure of one client must not prevent the check of the others.
        log.error("closing a connection of the RESP port: checking its timeouts failed", e);
        client.close();
      }
    }
  }

  /**
   * Stops: accepts no more clients, waits for running commands until the deadline, and closes.
   *
   * @return whether all running commands have finished
   */
  public boolean stop(Duration deadline) {
    return port.stop(deadline);
  }

  /** The handlers of the connections. */
  private final class Resp implements PortListener.Protocol {
    @Override
    public void init(Channel client) {
      int cap = limits.outputBytes();
      client.config().setOption(ChannelOption.SO_KEEPALIVE, true);
      client.config().setWriteBufferWaterMark(new WriteBufferWaterMark(cap / 2, cap));
      client.pipeline().addLast(connections.apply(held), faults);
    }

    @Override
    public void drain(Channel client) {
      PortConnection connection = client.pipeline().get(PortConnection.class);
      if (connection != null) {
        connection.drain();
      } else {
        client.close();
      }
    }

    @Override
    public byte[] reject() {
      counters.reject();
      return FULL;
    }

    @Override
    public void opened() {
      counters.opened();
    }

    @Override
    public void closed() {
      counters.closed();
    }
  }

  /** The state that all connections share. */
  record Shared(
      ServerContext server,
      Dispatcher dispatcher,
      DataLimits limits,
      DataCounters counters,
      AtomicLong held,
      RareLog warnings) {

    Session newSession(Peer peer, Channel channel) {
      return new Session(
          server.clients().nextId(),
          peer,
          text(channel.remoteAddress()),
          text(channel.localAddress()),
          server.stores().get(0),
          server.ticker().nanos());
    }

    private static String text(SocketAddress address) {
      return address instanceof InetSocketAddress inet
          ? Transport.text(inet)
          : String.valueOf(address);
    }
  }
}
