package io.heatshield.data;

import io.heatshield.time.Ticker;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connection of one client of a port.
 *
 * <p>A client may shut down its output after its last command: it gets all replies, and then the
 * connection is closed.
 */
// The result of a write or a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public abstract class PortConnection extends ChannelInboundHandlerAdapter {
  private static final long NOT_PARTIAL = Long.MIN_VALUE;

  private long held;
  private long owedBefore;
  private long readSince;
  private boolean inputEnded;
  private boolean ended;
  private boolean lingering;
  private volatile long partialSince = NOT_PARTIAL;

  /** Creates a connection that is not yet in a pipeline. */
  protected PortConnection() {}

  /** Closes the connection after the reply to the running command; on its event loop. */
  public abstract void drain();

  /** Closes a client that is idle or too slow; called by the port's timer. */
  public abstract void sweep(long nowNanos);

  /** Called once when the client has shut down its output; on the event loop. */
  protected abstract void onInputEnd();

  /** Returns whether the client has shut down its output. */
  protected final boolean isInputEnded() {
    return inputEnded;
  }

  @Override
  public final void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    boolean end =
        event instanceof ChannelInputShutdownEvent || event == SslCloseCompletionEvent.SUCCESS;
    if (!end || inputEnded) {
      return;
    }
    inputEnded = true;
    if (lingering) {
      ctx.close();
    } else {
      onInputEnd();
    }
  }

  /** Records whether a command has arrived in part. */
  protected final void partial(boolean partial, Ticker ticker) {
    // Called much more often than the state changes.
    if (partial != (partialSince != NOT_PARTIAL)) {
      partialSince = partial ? ticker.nanos() : NOT_PARTIAL;
    }
  }

  /** Returns whether a command takes too long to arrive; any thread may call. */
  protected final boolean isDribbling(DataLimits limits, long nowNanos) {
    long since = partialSince;
    return since != NOT_PARTIAL && nowNanos - since > limits.readTimeout().toNanos();
  }

  /** Records the bytes that the client holds; closes it if they grew and all hold too much. */
  protected final void hold(
      ChannelHandlerContext ctx, long bytes, AtomicLong all, DataLimits limits, DataCounters into) {
    long grown = bytes - held;
    held = bytes;
    if (grown != 0 && all.addAndGet(grown) > limits.heldBytes() && grown > 0) {
      into.pastBudget();
      ctx.close();
    }
  }

  /** Returns whether the client has not read its replies for too long; from one thread. */
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
   * Flushes and closes. If the client may still send, shuts down our output only, and discards
   * input for a moment: closing immediately could destroy the last reply.
   */
  protected final void linger(ChannelHandlerContext ctx, DataLimits limits) {
    if (ended) {
      return;
    }
    ended = true;
    Channel channel = ctx.channel();
    boolean tls = ctx.pipeline().get(SslHandler.class) != null;
    if (!inputEnded) {
      channel.config().setAutoRead(true);
    }
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            sent -> {
              if (channel instanceof DuplexChannel duplex && !inputEnded && !tls) {
                lingering = true;
                duplex.shutdownOutput();
                closeAfter(channel, limits.lingerTimeout());
              } else {
                channel.close();
              }
            });
    closeAfter(channel, limits.readTimeout());
  }

  private static void closeAfter(Channel channel, Duration time) {
    if (channel.isOpen()) {
      ScheduledFuture<?> close =
          channel.eventLoop().schedule(() -> channel.close(), time.toNanos(), TimeUnit.NANOSECONDS);
      channel.closeFuture().addListener(closed -> close.cancel(false));
    }
  }
}
