package io.heatshield.time;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs the upkeep of structures on threads of the application. No structure starts a thread.
 *
 * <p>A framework with a scheduler of its own adapts it by a lambda; any thread may call it.
 */
@FunctionalInterface
public interface Scheduler {

  /** Runs a task at an interval, until the returned object is closed. */
  Task every(Duration interval, Runnable task);

  /** Returns a scheduler that uses an executor; the caller shuts the executor down. */
  static Scheduler of(ScheduledExecutorService executor) {
    return (interval, task) -> {
      long nanos = interval.toNanos();
      ScheduledFuture<?> future =
          executor.scheduleWithFixedDelay(task, nanos, nanos, TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    };
  }

  /** A task that runs until it is closed. */
  @FunctionalInterface
  interface Task extends AutoCloseable {
    /** A task that never runs, of a structure without a scheduler. */
    Task NONE = () -> {};

    /** Ends the task; a run in progress completes. Closing again has no effect. */
    @Override
    void close();
  }
}
