package io.heatshield.shield;

import io.heatshield.resp.ReplyScanner;
import io.heatshield.runtime.net.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection to a server, which one client has for itself, on the client's event loop. */
// What became of a write is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class UpstreamLink extends ChannelInboundHandlerAdapter {
  private static final int MAX_EARLY = 64 << 10;
  private static final ByteBuf READONLY =
      Unpooled.unreleasableBuffer(
          Unpooled.wrappedBuffer("-READONLY ".getBytes(StandardCharsets.US_ASCII)));

  /** Who listens. */
  interface Listener {
    void came(UpstreamLink link, ByteBuf bytes);

    void cameAll(UpstreamLink link);

    void writable();

    void lost(UpstreamLink link);
  }

  final ReplyScanner replies = new ReplyScanner();
  final Upstream server;
  private final Channel channel;
  private final Listener listener;
  private final ArrayDeque<ByteBuf> early = new ArrayDeque<>();
  private int earlyBytes;
  private boolean outputShut;
  private @Nullable String epitaph;
  private boolean replica;

  private UpstreamLink(Upstream server, Channel channel, Listener listener) {
    this.server = server;
    this.channel = channel;
    this.listener = listener;
    channel.pipeline().addLast(this);
  }

  /** Connects to a server on the loop of a client, and tells the connection, or null. */
  static void open(
      Upstream server,
      Channel client,
      Transport transport,
      Listener listener,
      Consumer<@Nullable UpstreamLink> then) {
    server.connect(
        client.eventLoop(),
        transport,
        made -> {
          if (made == null) {
            then.accept(null);
          } else {
            made.config().setWriteBufferWaterMark(client.config().getWriteBufferWaterMark());
            then.accept(new UpstreamLink(server, made, listener));
          }
        });
  }

  void write(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  void write(byte[] bytes) {
    write(Unpooled.wrappedBuffer(bytes));
  }

  void flush() {
    channel.flush();
  }

  /** Tells the server that nothing more will be sent; closes unless it does so within a time. */
  void shutdownOutput(Duration patience) {
    if (channel instanceof DuplexChannel duplex && !outputShut) {
      outputShut = true;
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> duplex.shutdownOutput());
      channel.eventLoop().schedule(() -> channel.close(), patience.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  boolean isWritable() {
    return channel.isWritable();
  }

  /** Lets the server speak, or wait: also while much of what it said before waits for its turn. */
  void reading(boolean wanted) {
    boolean may = wanted && earlyBytes < MAX_EARLY;
    if (channel.config().isAutoRead() != may) {
      channel.config().setAutoRead(may);
    }
  }

  /** Keeps what was said before its turn; the caller's hold on the bytes is taken over. */
  void keep(ByteBuf bytes, boolean last) {
    earlyBytes += bytes.readableBytes();
    if (last) {
      early.addLast(bytes);
    } else {
      early.addFirst(bytes);
    }
  }

  /** Returns what was said first of that which is kept, or null. */
  @Nullable ByteBuf early() {
    ByteBuf bytes = early.poll();
    earlyBytes -= bytes == null ? 0 : bytes.readableBytes();
    return bytes;
  }

  /** Takes note that no more will come, and why. */
  void end(String why) {
    epitaph = epitaph == null ? why : epitaph;
  }

  /** Returns why nothing more will come, or null if something may. */
  @Nullable String epitaph() {
    return epitaph;
  }

  /** Ends the connection and forgets what is kept. */
  void close() {
    end("");
    early.forEach(ByteBuf::release);
    early.clear();
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    replica |= server.isWatched() && !replies.isWithin() && isReadonly((ByteBuf) message);
    listener.came(this, (ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    listener.cameAll(this);
    if (replica) {
      // The master has become a replica: the client finds the new one when it connects again.
      server.recheck();
      context.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    listener.writable();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    listener.lost(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }

  private static boolean isReadonly(ByteBuf bytes) {
    int length = READONLY.readableBytes();
    return bytes.readableBytes() > length
        && ByteBufUtil.equals(bytes, bytes.readerIndex(), READONLY, 0, length);
  }
}
