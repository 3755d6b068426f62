package io.heatshield.server.shield;

import io.heatshield.resp.ReplyScanner;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** One connection to the upstream, which one client has for itself, on the client's event loop. */
// What became of a write is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class UpstreamLink extends ChannelInboundHandlerAdapter {
  /** Who listens. */
  interface Listener {
    void came(UpstreamLink link, ByteBuf bytes);

    void cameAll(UpstreamLink link);

    void writable();

    void lost(UpstreamLink link);
  }

  final ReplyScanner replies = new ReplyScanner();
  private final Channel channel;
  private final Listener listener;

  UpstreamLink(Channel channel, Listener listener) {
    this.channel = channel;
    this.listener = listener;
    channel.pipeline().addLast(this);
  }

  void write(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  void flush() {
    channel.flush();
  }

  boolean isWritable() {
    return channel.isWritable();
  }

  /** Lets the upstream speak, or wait. */
  void reading(boolean wanted) {
    if (channel.config().isAutoRead() != wanted) {
      channel.config().setAutoRead(wanted);
    }
  }

  void close() {
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    listener.came(this, (ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    listener.cameAll(this);
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
}
