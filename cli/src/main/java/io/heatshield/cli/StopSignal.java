package io.heatshield.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wish that the process ends, as SIGTERM or Ctrl-C brings it.
 *
 * <p>One thread awaits it; any thread may raise it, once or more often.
 */
final class StopSignal {
  private final CountDownLatch raised = new CountDownLatch(1);
  private volatile boolean awaited;

  /** Waits until the signal is raised. */
  void await() throws InterruptedException {
    awaited = true;
    raised.await();
  }

  /** Waits until the signal is raised, or at most this long. */
  void await(Duration most) throws InterruptedException {
    var unused = isRaisedWithin(most);
  }

  /** Waits at most this long and returns whether the signal was raised. */
  boolean isRaisedWithin(Duration most) throws InterruptedException {
    awaited = true;
    return raised.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Raises the signal and returns whether a command awaits it and will end by itself. */
  boolean raise() {
    raised.countDown();
    return awaited;
  }
}
