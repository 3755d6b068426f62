package io.heatshield.server.data;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One client's connection, as its door sees it. */
public abstract class DoorConnection extends ChannelInboundHandlerAdapter {
  private long held;
  private long owedBefore;
  private long readSince;

  /** Creates a connection that is not yet in a pipeline. */
  protected DoorConnection() {}

  /** Ends the connection once the command that runs is answered; on its event loop. */
  public abstract void drain();

  /** Closes a client that keeps others waiting; from the door's timer. */
  public abstract void sweep(long nowNanos);

  /** Takes note of what the client holds now; returns whether that is more than all may hold. */
  protected final boolean isPastBudget(long bytes, AtomicLong all, DataLimits limits) {
    if (bytes == held) {
      return false;
    }
    long total = all.addAndGet(bytes - held);
    boolean grew = bytes > held;
    held = bytes;
    return grew && total > limits.heldBytes();
  }

  /** Returns whether the client has not read what it is owed for too long; from one thread. */
  protected final boolean isStalled(Channel channel, DataLimits limits, long nowNanos) {
    long owed = channel.isWritable() ? 0 : channel.bytesBeforeWritable();
    if (owed == 0 || owed != owedBefore) {
      owedBefore = owed;
      readSince = nowNanos;
      return false;
    }
    return nowNanos - readSince > limits.stallTimeout().toNanos();
  }

  /**
   * Sends what was written and shuts our side, then reads and throws away what the client still
   * sends for a moment: closing at once could destroy the last answer.
   */
  // What became of the write or the close is told by the channel itself, in channelInactive.
  @SuppressWarnings("FutureReturnValueIgnored")
  protected static void linger(ChannelHandlerContext ctx, DataLimits limits) {
    Channel channel = ctx.channel();
    if (channel instanceof DuplexChannel duplex && ctx.pipeline().get(SslHandler.class) == null) {
      channel.config().setAutoRead(true);
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> duplex.shutdownOutput());
      long linger = limits.lingerTimeout().toNanos();
      ctx.executor().schedule(() -> channel.close(), linger, TimeUnit.NANOSECONDS);
    } else {
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> channel.close());
    }
  }
}
