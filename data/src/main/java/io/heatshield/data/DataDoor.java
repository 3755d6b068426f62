package io.heatshield.data;

import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.Peer;
import io.heatshield.data.command.Realm;
import io.heatshield.data.command.Session;
import io.heatshield.resp.Reply;
import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.net.AddressTakenException;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.tls.TlsMaterial;
import io.heatshield.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final Duration LAST_CLOSES = Duration.ofSeconds(1);
  private static final Reply FULL = Reply.error("ERR max number of clients reached");

  private final Transport transport;
  private final InetSocketAddress wanted;
  private final DataLimits limits;
  private final DataCounters counters;
  private final Ticker ticker;
  private final Function<AtomicLong, DoorConnection> connections;
  private final AtomicLong held = new AtomicLong();
  private final DoorFaults faults;
  private final @Nullable TlsMaterial tls;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final AtomicInteger open = new AtomicInteger();
  private volatile @Nullable Channel listening;
  private volatile boolean stopping;

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
    this.transport = transport;
    this.wanted = address;
    this.tls = tls;
    this.limits = limits;
    this.counters = counters;
    this.ticker = ticker;
    this.connections = connections;
    this.faults = new DoorFaults(counters);
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
    if (listening != null) {
      throw new IllegalStateException("the door is open already");
    }
    listening =
        transport.bind(
            wanted,
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                admit(client);
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
    for (Channel client : clients) {
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
    Channel channel = listening;
    stopping = true;
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
      log.warn("closing {} data connections that did not finish in time", clients.size());
      clients.close().awaitUninterruptibly(LAST_CLOSES.toNanos(), TimeUnit.NANOSECONDS);
    }
    return quiet;
  }

  private static void drain(Channel client) {
    DoorConnection connection = client.pipeline().get(DoorConnection.class);
    if (connection != null) {
      connection.drain();
    } else {
      client.close();
    }
  }

  private void admit(Channel client) {
    if (open.incrementAndGet() > limits.maxClients()) {
      open.decrementAndGet();
      counters.reject();
      reject(client);
      return;
    }
    counters.opened();
    client
        .closeFuture()
        .addListener(
            closed -> {
              open.decrementAndGet();
              counters.closed();
            });
    int cap = limits.outputBytes();
    client.config().setOption(ChannelOption.SO_KEEPALIVE, true);
    client.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    client.config().setWriteBufferWaterMark(new WriteBufferWaterMark(cap / 2, cap));
    if (tls != null) {
      client.pipeline().addLast(tls.newHandler(client.alloc()));
    }
    client.pipeline().addLast(connections.apply(held), faults);
    // Only now: the timer looks at every client that it finds, and its connection must be complete.
    clients.add(client);
    if (stopping) {
      client.close();
    }
  }

  private void reject(Channel client) {
    if (tls != null) {
      client.close();
    } else {
      ByteBuf error = client.alloc().buffer();
      FULL.write(error, false);
      client.writeAndFlush(error).addListener(ChannelFutureListener.CLOSE);
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
