package io.heatshield.cli.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The request to stop the process, raised by SIGTERM or Ctrl-C.
 *
 * <p>One thread waits for it; any thread may raise it, any number of times.
 */
public final class StopSignal {
  private final CountDownLatch raised = new CountDownLatch(1);
  private volatile boolean awaited;

  /** Waits until the signal is raised. */
  public void await() throws InterruptedException {
    awaited = true;
    raised.await();
  }

  /** Waits for the signal, at most this long; returns whether it was raised. */
  public boolean isRaisedWithin(Duration timeout) throws InterruptedException {
    awaited = true;
    return raised.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Raises the signal; returns whether a command waits for it and will stop the process. */
  public boolean raise() {
    raised.countDown();
    return awaited;
  }
}
