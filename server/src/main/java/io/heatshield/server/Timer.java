package io.heatshield.server;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic tasks of the server on two threads. A third thread only advances the coarse
 * time, so that a slow task does not delay it.
 */
final class Timer {
  private static final Logger log = LoggerFactory.getLogger(Timer.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(2, task -> daemon(task, "timer"));
  private volatile boolean stopped;

  /** Runs a task repeatedly, with a pause in between, even if it fails. */
  void every(Duration pause, Runnable task) {
    Runnable safe =
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            // Errors too: the executor would not run a task again that has thrown.
            log.error("periodic task failed, will run again at its next interval", e);
          }
        };
    // The task never throws, so the future completes only by stop.
    var unused =
        executor.scheduleWithFixedDelay(
            safe, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Runs a short task that never fails repeatedly on its own thread. In the pool, each of its
   * hundreds of runs per second would cost two wake-ups.
   */
  void tick(Duration pause, Runnable task) {
    daemon(
            () -> {
              while (!stopped) {
                task.run();
                LockSupport.parkNanos(pause.toNanos());
              }
            },
            "ticker")
        .start();
  }

  /** Runs a task once, as soon as possible. */
  void execute(Runnable task) {
    executor.execute(task);
  }

  void stop(Duration deadline) {
    stopped = true;
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("periodic tasks did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a new daemon thread, not yet started. */
  static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
