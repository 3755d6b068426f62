package io.heatshield.web.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The single timeout of a connection. Used on the connection's event loop only. */
final class ConnectionTimer {
  private @Nullable Wait wait;
  private @Nullable ScheduledFuture<?> timer;

  /** Returns what the connection is waiting for, or null if no timeout is set. */
  @Nullable Wait waitingFor() {
    return wait;
  }

  /** Replaces the timeout. */
  void start(ChannelHandlerContext ctx, Wait what, Duration timeout, Runnable onTimeout) {
    stop();
    wait = what;
    timer = ctx.executor().schedule(onTimeout, timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Cancels the timeout, if one is set. */
  void stop() {
    wait = null;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** The events that a connection can wait for. */
  enum Wait {
    FIRST_BYTE,
    NEXT_REQUEST,
    HEAD,
    BODY,
    HANDLER,
    WRITE,
    LINGER
  }
}
