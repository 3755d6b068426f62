package io.heatshield.cli.demo;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The thread that keeps the demo's traffic flowing until it is closed. */
public final class DemoLoad implements AutoCloseable {
  private static final Duration STEP = Duration.ofMillis(10);

  private final ScheduledExecutorService thread;

  private DemoLoad(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  /** Starts to do a step of the traffic a hundred times a second, until one fails. */
  public static DemoLoad start(Runnable step) {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var made = new Thread(task, "heatshield-demo");
              made.setDaemon(true);
              return made;
            });
    var unused =
        thread.scheduleWithFixedDelay(step, 0, STEP.toNanos(), TimeUnit.NANOSECONDS);
    return new DemoLoad(thread);
  }

  /** Ends the traffic and waits a moment for the touch in progress. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      var unused = thread.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
