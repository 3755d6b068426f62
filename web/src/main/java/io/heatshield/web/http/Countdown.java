package io.heatshield.web.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The one timer of a connection; only the connection's event loop touches it. */
final class Countdown {
  private Wait wait = Wait.NOTHING;
  private @Nullable ScheduledFuture<?> timer;

  /** Returns what is being waited for. */
  Wait waitingFor() {
    return wait;
  }

  /** Begins to wait for something else. */
  void start(ChannelHandlerContext ctx, Wait what, Duration timeout, Runnable tooLate) {
    stop();
    wait = what;
    timer = ctx.executor().schedule(tooLate, timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends the wait. */
  void stop() {
    wait = Wait.NOTHING;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** What a connection may wait for. */
  enum Wait {
    NOTHING,
    FIRST_BYTE,
    NEXT_REQUEST,
    HEAD,
    BODY,
    ANSWER,
    WRITE,
    LINGER
  }
}
