package io.heatshield.server;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that do what has to be done again and again: one advances the coarse time and does
 * nothing else, two look at files and the like. A look that takes long does not make time stand
 * still.
 */
final class Timer {
  private static final Logger log = LoggerFactory.getLogger(Timer.class);

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(2, task -> daemon(task, "timer"));
  private volatile boolean stopped;

  /** Runs a task after every pause of this length; a task that fails runs again all the same. */
  void every(Duration pause, Runnable task) {
    Runnable safe =
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            // An error too: the executor would never run a task again that has thrown.
            log.error("a periodic task failed", e);
          }
        };
    // The future never completes but by stop: the task swallows its own failures.
    var unused =
        executor.scheduleWithFixedDelay(
            safe, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Runs a short task that never fails about once in a pause, from a thread of its own: between the
   * threads of a pool every turn would cost two wake-ups, and this one comes hundreds of times a
   * second.
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

  /** Runs a task once, soon. */
  void execute(Runnable task) {
    executor.execute(task);
  }

  void stop(Duration deadline) {
    stopped = true;
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("a periodic task did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
