package io.heatshield.shield.upstream;

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

/** A connection of one client to a server. Not thread-safe: for the client's event loop. */
// The result of a write is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class UpstreamConnection extends ChannelInboundHandlerAdapter {
  private static final int MAX_KEPT = 64 << 10;
  private static final ByteBuf READONLY =
      Unpooled.unreleasableBuffer(
          Unpooled.wrappedBuffer("-READONLY ".getBytes(StandardCharsets.US_ASCII)));

  /** Receives the events of a connection. */
  public interface Listener {
    /** Receives bytes that the server sent, and must release them. */
    void onBytes(UpstreamConnection from, ByteBuf bytes);

    void onReadComplete();

    void onWritable();

    void onClosed(UpstreamConnection connection);
  }

  private final ReplyScanner scanner = new ReplyScanner();
  private final UpstreamServer server;
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

  /** Connects to a server on a client's event loop; {@code then} gets null if that fails. */
  public static void open(
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

  public UpstreamServer server() {
    return server;
  }

  /** Returns the scanner, whose state is the position within the replies read so far. */
  public ReplyScanner scanner() {
    return scanner;
  }

  public void write(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  public void write(byte[] bytes) {
    write(Unpooled.wrappedBuffer(bytes));
  }

  public void flush() {
    channel.flush();
  }

  /** Shuts down the output, and closes the connection if the server has not done so in time. */
  public void shutdownOutput(Duration timeout) {
    if (channel instanceof DuplexChannel duplex && !outputShut) {
      outputShut = true;
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> duplex.shutdownOutput());
      channel.eventLoop().schedule(() -> channel.close(), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  public boolean isActive() {
    return channel.isActive();
  }

  public boolean isWritable() {
    return channel.isWritable();
  }

  /** Starts or stops reading; never reads while 64 KiB are kept. */
  public void setReading(boolean wanted) {
    boolean may = wanted && keptBytes < MAX_KEPT;
    if (channel.config().isAutoRead() != may) {
      channel.config().setAutoRead(may);
    }
  }

  /** Keeps bytes that arrived before their turn, and takes ownership of them. */
  public void keep(ByteBuf bytes, boolean last) {
    keptBytes += bytes.readableBytes();
    if (last) {
      kept.addLast(bytes);
    } else {
      kept.addFirst(bytes);
    }
  }

  /**
   * Removes the first kept bytes, which the caller must release; returns null if there are none.
   */
  public @Nullable ByteBuf pollKept() {
    ByteBuf bytes = kept.poll();
    keptBytes -= bytes == null ? 0 : bytes.readableBytes();
    return bytes;
  }

  /** Records that nothing more will be read. */
  public void endReading(String reason) {
    closeReason = closeReason == null ? reason : closeReason;
  }

  /** Returns why nothing more will be read, or null while the connection is being read. */
  public @Nullable String closeReason() {
    return closeReason;
  }

  /** Closes the connection and drops what is kept. */
  public void close() {
    endReading("");
    kept.forEach(ByteBuf::release);
    kept.clear();
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    replica |= server.isWatched() && !scanner.isWithin() && isReadonly((ByteBuf) message);
    listener.onBytes(this, (ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    listener.onReadComplete();
    if (replica) {
      // The master has become a replica. The client finds the new master when it reconnects.
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
