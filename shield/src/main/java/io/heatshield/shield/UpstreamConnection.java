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

/** A connection to a server that belongs to one client, on the client's event loop. */
// The result of a write is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class UpstreamConnection extends ChannelInboundHandlerAdapter {
  private static final int MAX_KEPT = 64 << 10;
  private static final ByteBuf READONLY =
      Unpooled.unreleasableBuffer(
          Unpooled.wrappedBuffer("-READONLY ".getBytes(StandardCharsets.US_ASCII)));

  /** Receives the events of a connection. */
  interface Listener {
    /** Takes over bytes that the server sent. */
    void onBytes(UpstreamConnection from, ByteBuf bytes);

    void onReadComplete();

    void onWritable();

    void onClosed(UpstreamConnection connection);
  }

  final ReplyScanner replies = new ReplyScanner();
  final UpstreamServer server;
  private final Channel channel;
  private final Listener listener;
  private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>();
  private int keptBytes;
  private boolean outputShut;
  private @Nullable String closeReason;
  private boolean replica;

  private UpstreamConnection(UpstreamServer server, Channel channel, Listener listener) {
    this.server = server;
    this.channel = channel;
    this.listener = listener;
    channel.pipeline().addLast(this);
  }

  /** Connects to a server on the event loop of a client; passes on the connection, or null. */
  static void open(
      UpstreamServer server,
      Channel client,
      Transport transport,
      Listener listener,
      Consumer<@Nullable UpstreamConnection> then) {
    server.connect(
        client.eventLoop(),
        transport,
        made -> {
          if (made == null) {
            then.accept(null);
          } else {
            made.config().setWriteBufferWaterMark(client.config().getWriteBufferWaterMark());
            then.accept(new UpstreamConnection(server, made, listener));
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

  /** Shuts down the output; closes the connection unless the server does so within a time. */
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

  /** Starts or stops to read; does not read while much is kept. */
  void setReading(boolean wanted) {
    boolean may = wanted && keptBytes < MAX_KEPT;
    if (channel.config().isAutoRead() != may) {
      channel.config().setAutoRead(may);
    }
  }

  /** Keeps bytes that arrived before their turn, and takes them over. */
  void keep(ByteBuf bytes, boolean last) {
    keptBytes += bytes.readableBytes();
    if (last) {
      kept.addLast(bytes);
    } else {
      kept.addFirst(bytes);
    }
  }

  /** Returns the first bytes that are kept, which are then the caller's, or null. */
  @Nullable ByteBuf pollKept() {
    ByteBuf bytes = kept.poll();
    keptBytes -= bytes == null ? 0 : bytes.readableBytes();
    return bytes;
  }

  /** Records that nothing more will be read, and why. */
  void endReading(String why) {
    closeReason = closeReason == null ? why : closeReason;
  }

  /** Returns why nothing more will be read, or null if something may. */
  @Nullable String closeReason() {
    return closeReason;
  }

  /** Closes the connection and drops what is kept. */
  void close() {
    endReading("");
    kept.forEach(ByteBuf::release);
    kept.clear();
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    replica |= server.isWatched() && !replies.isWithin() && isReadonly((ByteBuf) message);
    listener.onBytes(this, (ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    listener.onReadComplete();
    if (replica) {
      // The master has become a replica: the client finds the new one when it connects again.
      server.recheck();
      context.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    listener.onWritable();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    listener.onClosed(this);
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
