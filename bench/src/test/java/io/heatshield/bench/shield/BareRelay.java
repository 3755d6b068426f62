package io.heatshield.bench.shield;

import io.heatshield.runtime.net.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The rival: forwards bytes in both directions on the same event loops, without parsing them. */
// The result of a write or a close is reported by the channel itself.
@SuppressWarnings("FutureReturnValueIgnored")
final class BareRelay implements AutoCloseable {
  private final Transport transport = new Transport(0);
  private final Channel listening;

  BareRelay(int upstream) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), upstream);
    listening =
        transport.bind(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                client.config().setAutoRead(false);
                connect(client, address);
              }
            });
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  @Override
  public void close() {
    transport.stop(Duration.ofSeconds(1));
  }

  private void connect(Channel client, InetSocketAddress address) {
    new Bootstrap()
        .group(client.eventLoop())
        .channelFactory(transport::newClient)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(new Forwarder(client))
        .connect(address)
        .addListener(
            (ChannelFuture made) -> {
              if (made.isSuccess()) {
                client.pipeline().addLast(new Forwarder(made.channel()));
                client.config().setAutoRead(true);
              } else {
                client.close();
              }
            });
  }

  private static final class Forwarder extends ChannelInboundHandlerAdapter {
    private final Channel other;

    Forwarder(Channel other) {
      this.other = other;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
      other.write(bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      other.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      other.close();
    }
  }
}
