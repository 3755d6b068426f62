package io.heatshield.web.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events to one client.
 *
 * <p>Any thread may send; events of one thread arrive in order. Unsent bytes are bounded: an event
 * beyond the bound, or a whole heartbeat interval without progress, drops the client, which may
 * reconnect. So a sender never blocks. After the stream was closed, by either side, every {@link
 * #onClose} action runs once.
 */
// The result of a write or a close is reported by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class EventStream {
  /*
   * pending  bytes passed to the event loop but not yet to the kernel; incremented by senders,
   *          decremented when the write completes. It includes frames that are still queued as
   *          tasks of the event loop, so the bound also holds if the loop is stuck.
   * written  bytes accepted by the kernel; used by the event loop only, compared at heartbeats.
   */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final ChannelHandlerContext ctx;
  private final HttpLimits limits;
  private final HttpMeters meters;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Runnable> onClose = new ArrayList<>();
  private @Nullable ScheduledFuture<?> heartbeat;
  private long written;
  private long writtenAtLastBeat = -1;

  EventStream(ChannelHandlerContext ctx, HttpLimits limits, HttpMeters meters) {
    this.ctx = ctx;
    this.limits = limits;
    this.meters = meters;
    meters.streams.increment();
  }

  /**
   * Sends an event, unless the stream is closed.
   *
   * @param event the name, in lower case
   * @param data the data, which may have several lines
   * @return whether the event was accepted; false means that the stream is closed
   */
  public boolean send(String event, String data) {
    if (!NAME.matcher(event).matches()) {
      throw new IllegalArgumentException("event must be a short name in lower case: " + event);
    }
    var frame = new StringBuilder(data.length() + 64).append("event: ").append(event).append('\n');
    data.lines().forEach(line -> frame.append("data: ").append(line).append('\n'));
    if (data.isEmpty()) {
      frame.append("data:\n");
    }
    return write(frame.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Runs an action when the stream is closed, immediately if it is closed already. */
  public void onClose(Runnable action) {
    synchronized (onClose) {
      if (!closed.get()) {
        onClose.add(action);
        return;
      }
    }
    action.run();
  }

  /** Closes the stream after all accepted events were sent. */
  public void close() {
    if (end(false)) {
      ctx.executor()
          .execute(
              () ->
                  ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                      .addListener(f -> ctx.close()));
    }
  }

  /** Starts the heartbeat. Called on the event loop. */
  void start() {
    long pause = limits.heartbeat().toNanos();
    heartbeat = ctx.executor().scheduleAtFixedRate(this::beat, pause, pause, TimeUnit.NANOSECONDS);
  }

  /** Closes the stream after the connection was lost. Called on the event loop. */
  void disconnected() {
    end(false);
  }

  private void beat() {
    if (pending.get() > 0 && written == writtenAtLastBeat) {
      drop();
      return;
    }
    writtenAtLastBeat = written;
    write(HEARTBEAT);
  }

  private boolean write(byte[] frame) {
    if (closed.get()) {
      return false;
    }
    if (pending.addAndGet(frame.length) > limits.streamBufferBytes()) {
      drop();
      return false;
    }
    ChannelFuture future = ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(frame)));
    future.addListener(
        done -> {
          written += frame.length;
          pending.addAndGet(-frame.length);
        });
    return true;
  }

  private void drop() {
    if (end(true)) {
      ctx.close();
    }
  }

  /** Closes the stream once. Counters are updated before the listeners are called. */
  private boolean end(boolean dropped) {
    List<Runnable> actions;
    synchronized (onClose) {
      if (!closed.compareAndSet(false, true)) {
        return false;
      }
      actions = List.copyOf(onClose);
      onClose.clear();
    }
    meters.streams.decrement();
    if (dropped) {
      meters.droppedStreams.increment();
    }
    if (ctx.executor().inEventLoop()) {
      stopHeartbeat();
    } else {
      ctx.executor().execute(this::stopHeartbeat);
    }
    actions.forEach(Runnable::run);
    return true;
  }

  private void stopHeartbeat() {
    if (heartbeat != null) {
      heartbeat.cancel(false);
    }
  }
}
