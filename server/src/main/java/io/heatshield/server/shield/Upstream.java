package io.heatshield.server.shield;

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
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Where the upstream is and how to connect to it.
 *
 * <p>After a connection could not be made, none is tried for {@value #PAUSE_MILLIS} ms: clients are
 * answered at once. Any thread may call.
 */
final class Upstream {
  static final int PAUSE_MILLIS = 100;
  private static final long MAX_CONNECT_MILLIS = 1000;

  private final InetSocketAddress named;
  private final @Nullable SslContext tls;
  private final Ticker ticker;
  private final Tracking tracking;
  private final int connectMillis;
  private volatile InetSocketAddress address;
  private volatile long downUntil;
  private volatile boolean silent;

  Upstream(RedisUrl url, Duration timeout, Ticker ticker, Tracking tracking) throws IOException {
    this.tracking = tracking;
    this.named = url.servers().get(0);
    this.address = named;
    this.ticker = ticker;
    this.downUntil = ticker.nanos();
    this.connectMillis = (int) Math.min(MAX_CONNECT_MILLIS, timeout.toMillis());
    try {
      this.tls = url.isTls() ? SslContextBuilder.forClient().build() : null;
    } catch (SSLException e) {
      throw new IOException("shield.url: TLS cannot be had: " + e.getMessage(), e);
    }
    resolve();
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
      silent = tracking.wasUp() && !tracking.isUp();
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
