package io.heatshield.shield;

import io.heatshield.redis.Invalidations;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.SentinelWatcher;
import io.heatshield.runtime.net.Transport;
import io.heatshield.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server of the upstream: its address, its availability, and the subscription to its changes.
 *
 * <p>After a connection attempt failed, none is made for {@value #PAUSE_MILLIS} ms: clients are
 * answered at once. Any thread may call any method.
 */
final class UpstreamServer implements AutoCloseable {
  static final int PAUSE_MILLIS = 100;

  /** The reply while no connection can be made. */
  static final byte[] UNREACHED =
      RespEncoder.error("UNAVAILABLE the upstream cannot be reached, nothing was executed");

  private static final long MAX_CONNECT_MILLIS = 1000;

  private final RedisUrl url;
  private final InetSocketAddress named;
  private final @Nullable SslContext tls;
  private final Ticker ticker;
  private final int connectMillis;

  /** The connections of all clients; one that is added after the close is closed at once. */
  private final ChannelGroup channels =
      new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

  private volatile @Nullable Invalidations changes;
  private volatile InetSocketAddress address;
  private volatile long downUntil;
  private volatile boolean silent;
  private volatile long silentSince;
  private volatile boolean wasUp;
  private volatile boolean watched;
  private volatile boolean closed;

  UpstreamServer(RedisUrl url, @Nullable SslContext tls, Duration timeout, Ticker ticker) {
    this.url = url;
    this.tls = tls;
    this.named = url.servers().get(0);
    this.address = named;
    this.ticker = ticker;
    this.downUntil = ticker.nanos();
    this.connectMillis = (int) Math.min(MAX_CONNECT_MILLIS, timeout.toMillis());
    resolve();
  }

  RedisUrl url() {
    return url;
  }

  /**
   * Subscribes to changes; the listener receives each key, or null when any may have changed.
   *
   * @param watcher not null if the server is a master that sentinels watch
   */
  synchronized void listen(
      @Nullable SentinelWatcher watcher, Consumer<byte @Nullable []> listener) {
    if (closed) {
      return;
    }
    watched = watcher != null;
    changes =
        Invalidations.open(
            url,
            watcher,
            key -> {
              wasUp |= key == null;
              listener.accept(key);
            });
  }

  /** Returns whether every change is being reported. */
  boolean isReporting() {
    Invalidations feed = changes;
    return feed != null && feed.isUp();
  }

  /** Returns whether every change from before a mark was taken has been reported. */
  boolean hasReported(long mark) {
    Invalidations feed = changes;
    return feed != null && feed.hasPassed(mark);
  }

  /** Resolves the host name again; may block. */
  void resolve() {
    try {
      address =
          new InetSocketAddress(InetAddress.getByName(named.getHostString()), named.getPort());
    } catch (UnknownHostException e) {
      // The last known address is the best guess.
      address = address.isUnresolved() ? named : address;
    }
  }

  /** Returns whether connecting would fail at present. */
  boolean isDown() {
    if (silent) {
      // A server that hangs accepts connections. Any reply on the subscription, even an error,
      // shows that it has recovered.
      Invalidations feed = changes;
      silent = wasUp && feed != null && !feed.isAnswering();
    }
    Invalidations feed = changes;
    return silent || !isConnectable() || (feed != null && feed.isReplica());
  }

  /** Returns whether a connection may be attempted, also to a server that does not answer. */
  boolean isConnectable() {
    return !address.isUnresolved() && downUntil - ticker.nanos() <= 0;
  }

  /** Returns whether it has lately replied that it is busy: alive, but executing nothing. */
  boolean isBusy() {
    Invalidations feed = changes;
    return feed != null && feed.isBusy();
  }

  /** Returns whether an error says that a server runs a script or loads its data. */
  static boolean isBusy(byte[] error) {
    String text = new String(error, 0, Math.min(error.length, 9), StandardCharsets.ISO_8859_1);
    return text.startsWith("-BUSY ") || text.equals("-LOADING ");
  }

  /** Records that it has not replied to a command since a time. */
  void onTimeout(long sinceNanos) {
    silentSince = sinceNanos;
    silent = true;
  }

  /** Returns the reply to commands that are not sent because it is down. */
  byte[] unreached() {
    return silent
        ? RespEncoder.error("UNAVAILABLE " + unanswered(silentSince) + ", nothing was executed")
        : UNREACHED;
  }

  /** Returns the error for commands that were sent and not answered since. */
  String unansweredSince(long sinceNanos) {
    return "UNAVAILABLE " + unanswered(sinceNanos) + ", the command may have been executed";
  }

  private String unanswered(long sinceNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - sinceNanos);
    return "the upstream has not answered for " + seconds + " s";
  }

  private void onConnectFailed() {
    downUntil = ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
  }

  /** Returns whether it is a master that sentinels watch, so that it must take writes. */
  boolean isWatched() {
    return watched;
  }

  /** Checks again that it is a master, because it refused a write as a replica does. */
  void recheck() {
    Invalidations feed = changes;
    if (feed != null) {
      feed.reconnect();
    }
  }

  /** Closes all connections of clients, also those that are being made, and then runs a task. */
  void disconnect(Runnable then) {
    var unused = channels.close().addListener(done -> then.run());
  }

  @Override
  public synchronized void close() {
    closed = true;
    Invalidations feed = changes;
    if (feed != null) {
      feed.close();
    }
  }

  /** Connects; passes on, on the given event loop, the channel ready to be written to, or null. */
  void connect(EventLoop loop, Transport transport, Consumer<@Nullable Channel> then) {
    new Bootstrap()
        .group(loop)
        .channelFactory(transport::newClient)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                // A handler is added once the connection is made.
              }
            })
        .connect(address)
        .addListener(
            (ChannelFuture made) -> {
              if (!made.isSuccess()) {
                onConnectFailed();
                then.accept(null);
              } else if (!channels.add(made.channel()) || !made.channel().isActive()) {
                then.accept(null);
              } else if (tls == null) {
                then.accept(made.channel());
              } else {
                secure(made.channel(), tls, then);
              }
            });
  }

  private void secure(Channel channel, SslContext context, Consumer<@Nullable Channel> then) {
    var handler = context.newHandler(channel.alloc(), named.getHostString(), named.getPort());
    handler.setHandshakeTimeoutMillis(connectMillis);
    channel.pipeline().addLast(handler);
    handler
        .handshakeFuture()
        .addListener(
            (Future<Channel> done) -> {
              if (done.isSuccess()) {
                then.accept(channel);
              } else {
                onConnectFailed();
                var unused = channel.close();
                then.accept(null);
              }
            });
  }
}
