package io.heatshield.server;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that does what has to be done again and again: looking at files, advancing the
 * coarse ticker.
 */
final class Timer {
  private static final Logger log = LoggerFactory.getLogger(Timer.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            var thread = new Thread(task, "timer");
            thread.setDaemon(true);
            return thread;
          });

  /** Runs a task after every pause of this length; a task that fails runs again all the same. */
  void every(Duration pause, Runnable task) {
    Runnable safe =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            log.error("a periodic task failed", e);
          }
        };
    // The future never completes but by stop: the task swallows its own failures.
    var unused =
        executor.scheduleWithFixedDelay(
            safe, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  void stop(Duration deadline) {
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("a periodic task did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
