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
 * One client that listens to server-sent events.
 *
 * <p>Any thread may send; events of one thread arrive in its order. What the client has not taken
 * yet is bounded: an event that would go past the bound, or a whole heartbeat without any progress,
 * drops the client, which may connect again. A sender therefore never waits. Once the stream is
 * closed, from either side, every {@link #onClose} action runs once.
 */
// What became of a write or a close is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
public final class EventStream {
  /*
   * owed   bytes handed to the event loop and not yet to the kernel; raised by senders, lowered when
   *        the write completes. It counts frames still queued as tasks of the loop, so a stuck loop
   *        is bounded too.
   * taken  bytes the kernel took; only the event loop touches it, and compares it at each heartbeat.
   */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final ChannelHandlerContext ctx;
  private final HttpLimits limits;
  private final HttpCounters counters;
  private final AtomicLong owed = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Runnable> onClose = new ArrayList<>();
  private @Nullable ScheduledFuture<?> heart;
  private long taken;
  private long takenAtLastBeat = -1;

  EventStream(ChannelHandlerContext ctx, HttpLimits limits, HttpCounters counters) {
    this.ctx = ctx;
    this.limits = limits;
    this.counters = counters;
  }

  /**
   * Sends an event, if the client is still there and keeps up.
   *
   * @param event its name, in lower case
   * @param data its data; several lines stay several lines
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

  /** Returns whether events can still be sent. */
  public boolean isOpen() {
    return !closed.get();
  }

  /** Runs something when the stream is closed, at once if it is closed already. */
  public void onClose(Runnable action) {
    synchronized (onClose) {
      if (!closed.get()) {
        onClose.add(action);
        return;
      }
    }
    action.run();
  }

  /** Ends the stream after what was sent. */
  public void close() {
    if (end(false)) {
      ctx.executor()
          .execute(
              () ->
                  ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                      .addListener(f -> ctx.close()));
    }
  }

  /** Starts the heartbeat; on the event loop. */
  void start() {
    long pause = limits.heartbeat().toNanos();
    heart = ctx.executor().scheduleAtFixedRate(this::beat, pause, pause, TimeUnit.NANOSECONDS);
  }

  /** Notes that the connection is gone; on the event loop. */
  void gone() {
    end(false);
  }

  private void beat() {
    if (owed.get() > 0 && taken == takenAtLastBeat) {
      drop();
      return;
    }
    takenAtLastBeat = taken;
    write(HEARTBEAT);
  }

  private boolean write(byte[] frame) {
    if (closed.get()) {
      return false;
    }
    if (owed.addAndGet(frame.length) > limits.streamBufferBytes()) {
      drop();
      return false;
    }
    ChannelFuture written =
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(frame)));
    written.addListener(
        done -> {
          taken += frame.length;
          owed.addAndGet(-frame.length);
        });
    return true;
  }

  private void drop() {
    if (end(true)) {
      ctx.close();
    }
  }

  /** Ends the stream once; what it counts is counted before anybody hears of the end. */
  private boolean end(boolean dropped) {
    List<Runnable> actions;
    synchronized (onClose) {
      if (!closed.compareAndSet(false, true)) {
        return false;
      }
      actions = List.copyOf(onClose);
      onClose.clear();
    }
    counters.streamClosed();
    if (dropped) {
      counters.streamDropped();
    }
    if (ctx.executor().inEventLoop()) {
      stopHeart();
    } else {
      ctx.executor().execute(this::stopHeart);
    }
    actions.forEach(Runnable::run);
    return true;
  }

  private void stopHeart() {
    if (heart != null) {
      heart.cancel(false);
    }
  }
}
