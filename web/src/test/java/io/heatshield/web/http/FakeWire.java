package io.heatshield.web.http;

import io.heatshield.runtime.log.RareLog;
import io.heatshield.runtime.secret.AdminToken;
import io.heatshield.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** A connection without a socket, whose time advances only on demand. */
final class FakeWire {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final StringBuilder received = new StringBuilder();

  FakeWire(Route... routes) {
    var meters = new HttpMeters();
    HttpLimits limits = HttpLimits.defaults();
    var bound = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    var dispatcher =
        new Dispatcher(
            Routes.builder().addAll(List.of(routes)).build("1"),
            HostRule.of(bound, List.of()),
            new AdminGate(AdminToken.none(), meters));
    var log = new RareLog(LoggerFactory.getLogger(FakeWire.class), Ticker.system());
    var context =
        new HttpServer.Context(dispatcher, limits, meters, new AtomicInteger(), () -> false, log);
    var decoder = new RequestDecoder(limits);
    channel.freezeTime();
    channel.config().setAutoRead(false);
    channel
        .pipeline()
        .addLast(decoder, new HttpResponseEncoder(), new HttpConnection(context, decoder));
    channel.pipeline().fireChannelActive();
  }

  EmbeddedChannel channel() {
    return channel;
  }

  void send(String text) {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) {
    if (channel.isOpen()) {
      channel.writeInbound(Unpooled.copiedBuffer(bytes));
      channel.runPendingTasks();
    }
  }

  /** Returns everything the client got so far. */
  String received() {
    for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
      received.append(bytes.toString(StandardCharsets.ISO_8859_1));
      bytes.release();
    }
    return received.toString();
  }
}
