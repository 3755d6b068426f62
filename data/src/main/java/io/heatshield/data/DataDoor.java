package io.heatshield.data;

import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.Peer;
import io.heatshield.data.command.Realm;
import io.heatshield.data.command.Session;
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
 * The door for programs that speak the Redis protocol, with or without TLS.
 *
 * <p>It is made once, started once and stopped once. {@link #start} and {@link #stop} wait, so they
 * must not run on the transport's own threads. {@link #sweep} is to be called about once a second.
 */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class DataDoor {
  private static final Logger log = LoggerFactory.getLogger(DataDoor.class);
  private static final byte[] FULL =
      "-ERR max number of clients reached\r\n".getBytes(StandardCharsets.US_ASCII);

  private final DataLimits limits;
  private final DataCounters counters;
  private final Ticker ticker;
  private final Function<AtomicLong, DoorConnection> connections;
  private final AtomicLong held = new AtomicLong();
  private final DoorFaults faults;
  private final PortListener port;

  /**
   * Creates a door that does not listen yet.
   *
   * @param tls the certificate to show, or null for plaintext
   */
  public DataDoor(
      Transport transport,
      InetSocketAddress address,
      Realm realm,
      @Nullable TlsMaterial tls,
      DataLimits limits,
      DataCounters counters) {
    this(
        transport,
        address,
        tls,
        limits,
        counters,
        realm.ticker(),
        connections(realm, limits, counters));
  }

  /**
   * Creates a door to something else than stores.
   *
   * @param connections makes what serves one client, given the bytes that all clients hold
   */
  public DataDoor(
      Transport transport,
      InetSocketAddress address,
      @Nullable TlsMaterial tls,
      DataLimits limits,
      DataCounters counters,
      Ticker ticker,
      Function<AtomicLong, DoorConnection> connections) {
    this.limits = limits;
    this.counters = counters;
    this.ticker = ticker;
    this.connections = connections;
    this.faults = new DoorFaults(counters);
    this.port = new PortListener(transport, address, tls, limits.maxClients(), new Resp());
  }

  private static Function<AtomicLong, DoorConnection> connections(
      Realm realm, DataLimits limits, DataCounters counters) {
    var dispatcher = new Dispatcher(realm);
    var strangers = new RareLog(log, Ticker.system());
    return held ->
        new DataConnection(new Inside(realm, dispatcher, limits, counters, held, strangers));
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
  public DataCounters counters() {
    return counters;
  }

  /** Returns the bytes that clients have sent in part or owe. */
  public long heldBytes() {
    return held.get();
  }

  /** Closes clients that are silent, dribble or do not read for too long. */
  public void sweep() {
    long now = ticker.nanos();
    for (Channel client : port.clients()) {
      DoorConnection connection = client.pipeline().get(DoorConnection.class);
      try {
        if (connection != null) {
          connection.sweep(now);
        }
      } catch (RuntimeException e) {
        // One client that fails must not keep the others from being looked at.
        log.error("a connection of the data door cannot be checked, it is closed", e);
        client.close();
      }
    }
  }

  /**
   * Stops: accepts no more, answers the commands that run until the deadline, and closes.
   *
   * @return whether every command that ran could finish
   */
  public boolean stop(Duration deadline) {
    return port.stop(deadline);
  }

  /** The connections of the door, as its port sees them. */
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
      DoorConnection connection = client.pipeline().get(DoorConnection.class);
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

  /** What every connection of a door shares. */
  record Inside(
      Realm realm,
      Dispatcher dispatcher,
      DataLimits limits,
      DataCounters counters,
      AtomicLong held,
      RareLog strangers) {

    Session newSession(Peer peer, Channel channel) {
      return new Session(
          realm.clients().nextId(),
          peer,
          text(channel.remoteAddress()),
          text(channel.localAddress()),
          realm.stores().get(0),
          realm.ticker().nanos());
    }

    private static String text(SocketAddress address) {
      return address instanceof InetSocketAddress inet
          ? Transport.text(inet)
          : String.valueOf(address);
    }
  }
}
