package io.heatshield.server.shield;

import io.heatshield.redis.Invalidations;
import io.heatshield.redis.RedisUrl;
import io.heatshield.server.net.Transport;
import io.heatshield.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server of the upstream: where it is, how to connect to it, and what it tells of changes.
 *
 * <p>After a connection could not be made, none is tried for {@value #PAUSE_MILLIS} ms: clients are
 * answered at once. Any thread may call.
 */
final class Upstream implements AutoCloseable {
  static final int PAUSE_MILLIS = 100;
  private static final long MAX_CONNECT_MILLIS = 1000;

  private final RedisUrl url;
  private final InetSocketAddress named;
  private final @Nullable SslContext tls;
  private final Ticker ticker;
  private final int connectMillis;
  private volatile @Nullable Invalidations changes;
  private volatile InetSocketAddress address;
  private volatile long downUntil;
  private volatile boolean silent;
  private volatile boolean wasUp;

  Upstream(RedisUrl url, @Nullable SslContext tls, Duration timeout, Ticker ticker) {
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

  /** Begins to tell which keys change: null for any. */
  void listen(Consumer<byte @Nullable []> listener) {
    changes =
        Invalidations.open(
            url,
            key -> {
              wasUp |= key == null;
              listener.accept(key);
            });
  }

  /** Returns whether every change is being told. */
  boolean isTold() {
    Invalidations told = changes;
    return told != null && told.isUp();
  }

  /** Returns whether every change that was made before a mark was taken has been told. */
  boolean hasTold(long mark) {
    Invalidations told = changes;
    return told != null && told.hasPassed(mark);
  }

  /** Looks the name up again; may wait. */
  void resolve() {
    try {
      address =
          new InetSocketAddress(InetAddress.getByName(named.getHostString()), named.getPort());
    } catch (UnknownHostException e) {
      // What was known before is the best guess.
      address = address.isUnresolved() ? named : address;
    }
  }

  /** Returns whether it is not worth trying to connect at this moment. */
  boolean isDown() {
    if (silent) {
      // A server that hangs takes connections; that it tells changes again shows that it goes on.
      silent = wasUp && !isTold();
    }
    return silent || address.isUnresolved() || downUntil - ticker.nanos() > 0;
  }

  /** Takes note that it took a command and did not answer. */
  void silent() {
    silent = true;
    failed();
  }

  void failed() {
    downUntil = ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
  }

  @Override
  public void close() {
    Invalidations told = changes;
    if (told != null) {
      told.close();
    }
  }

  /** Connects, and tells on the loop given: the channel, ready to be written to, or null. */
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
                // A handler is added once the connection is there.
              }
            })
        .connect(address)
        .addListener(
            (ChannelFuture made) -> {
              if (!made.isSuccess()) {
                failed();
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
                failed();
                var unused = channel.close();
                then.accept(null);
              }
            });
  }
}
