package io.heatshield.runtime.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bind_onEitherTransport_servesAndStops(boolean epoll) throws Exception {
    var transport = new Transport(1, epoll && Epoll.isAvailable());
    Channel endpoint = transport.bind(loopback(0), echo());

    try (var socket = new Socket()) {
      socket.connect(endpoint.localAddress());
      socket.getOutputStream().write(42);

      assertThat(socket.getInputStream().read()).isEqualTo(42);
    } finally {
      assertThat(transport.stop(PATIENCE)).isTrue();
    }
    assertThat(transport.workers().isTerminated()).isTrue();
  }

  @Test
  void bind_onATakenPort_namesTheAddress() throws Exception {
    var transport = new Transport(1);
    Channel first = transport.bind(loopback(0), echo());
    int port = ((InetSocketAddress) first.localAddress()).getPort();

    assertThatThrownBy(() -> transport.bind(loopback(port), echo()))
        .isInstanceOf(AddressTakenException.class)
        .hasMessage("cannot listen on 127.0.0.1:" + port + ": address already in use");

    assertThat(transport.stop(PATIENCE)).isTrue();
  }

  @Test
  void name_onLinuxWithItsNatives_isEpoll() {
    var transport = new Transport(0);

    assertThat(transport.name()).isEqualTo(Epoll.isAvailable() ? "epoll" : "nio");

    transport.stop(PATIENCE);
  }

  @Test
  void text_ofIpv6_hasBrackets() throws Exception {
    byte[] one = new byte[16];
    one[15] = 1;
    var address = new InetSocketAddress(InetAddress.getByAddress(one), 80);

    assertThat(Transport.text(address)).isEqualTo("[::1]:80");
    assertThat(Transport.text(loopback(1))).isEqualTo("127.0.0.1:1");
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static ChannelHandlerAdapter echo() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelRead(ChannelHandlerContext ctx, Object message) {
                    var unused = ctx.writeAndFlush(message);
                  }
                });
      }
    };
  }
}
