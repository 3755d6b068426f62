package io.heatshield.shield.upstream;

import io.heatshield.redis.Invalidations;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redis.SentinelWatcher;
import io.heatshield.runtime.net.Transport;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
 * One server of the upstream: its address, its availability, and the subscription to its
 * invalidation messages. Thread-safe.
 *
 * <p>After a failed connection attempt no other is made for {@value #PAUSE_MILLIS} ms, and clients
 * get an error immediately.
 */
public final class UpstreamServer implements AutoCloseable {
  static final int PAUSE_MILLIS = 100;

  /** The reply while no connection can be made. */
  public static final byte[] UNREACHED =
      RespEncoder.error("UNAVAILABLE the upstream cannot be reached, nothing was executed");

  private static final long MAX_CONNECT_MILLIS = 1000;

  private final RedisUrl url;
  private final InetSocketAddress named;
  private final @Nullable SslContext tls;
  private final Ticker ticker;
  private final int connectMillis;

  /** The connections of all clients; closes those that are added after it was closed. */
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

  public RedisUrl url() {
    return url;
  }

  /**
   * Subscribes to changes.
   *
   * @param watcher not null if the server is a master that sentinels watch
   * @param listener receives each changed key, or null if any key may have changed
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

  /** Returns whether the server currently reports every change. */
  boolean isReporting() {
    Invalidations feed = changes;
    return feed != null && feed.isUp();
  }

  /** Returns whether every change made before {@code mark} was taken has been reported. */
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
      // Keep the last known address.
      address = address.isUnresolved() ? named : address;
    }
  }

  /** Returns whether a connection attempt would currently fail. */
  public boolean isDown() {
    Invalidations feed = changes;
    if (silent) {
      // A server that hangs still accepts connections. Any reply on the subscription, even an
      // error, shows that it has recovered.
      silent = wasUp && feed != null && !feed.isAnswering();
    }
    return silent || !isConnectable() || (feed != null && feed.isReplica());
  }

  /** Returns whether a connection may be attempted, even if the server does not reply. */
  public boolean isConnectable() {
    return !address.isUnresolved() && downUntil - ticker.nanos() <= 0;
  }

  /** Returns whether its last reply was that it is busy: alive, but executing no commands. */
  public boolean isBusy() {
    Invalidations feed = changes;
    return feed != null && feed.isBusy();
  }

  /** Returns whether an error means that a server runs a script or loads its data. */
  public static boolean isBusy(byte[] error) {
    String text = new String(error, 0, Math.min(error.length, 9), StandardCharsets.ISO_8859_1);
    return text.startsWith("-BUSY ") || text.equals("-LOADING ");
  }

  /** Records that it has not replied to a command since {@code sinceNanos}. */
  public void onTimeout(long sinceNanos) {
    silentSince = sinceNanos;
    silent = true;
  }

  /** Returns the reply to commands that are not sent because it is down. */
  public byte[] unreached() {
    return silent
        ? RespEncoder.error("UNAVAILABLE " + unanswered(silentSince) + ", nothing was executed")
        : UNREACHED;
  }

  /** Returns the error for commands that were sent and got no reply. */
  public String unansweredSince(long sinceNanos) {
    return "UNAVAILABLE " + unanswered(sinceNanos) + ", the command may have been executed";
  }

  private String unanswered(long sinceNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - sinceNanos);
    return "the upstream has not answered for " + seconds + " s";
  }

  /** Returns whether it is a master that sentinels watch, which must accept writes. */
  boolean isWatched() {
    return watched;
  }

  /** Checks again that it is a master, because it rejected a write with READONLY. */
  void recheck() {
    Invalidations feed = changes;
    if (feed != null) {
      feed.reconnect();
    }
  }

  /** Closes all connections of clients, including those being made, and then runs a task. */
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

  /** Connects on an event loop; {@code then} gets the writable channel, or null on failure. */
  void connect(EventLoop loop, Transport transport, Consumer<@Nullable Channel> then) {
    new Bootstrap()
        .group(loop)
        .channelFactory(transport::newClient)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
        // The real handler is added once the connection is made.
        .handler(new ChannelInboundHandlerAdapter())
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

  private void onConnectFailed() {
    downUntil = ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
  }
}
