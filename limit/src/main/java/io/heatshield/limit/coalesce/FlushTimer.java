package io.heatshield.limit.coalesce;

import io.heatshield.time.Ticker;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A thread that runs tasks at times of a ticker; any thread may call any method. */
final class FlushTimer {
  /*
   * closed   volatile. schedule adds a task and then reads it, close sets it and then takes all
   *          tasks: one of the two sees the other, so every task runs.
   */
  private final Ticker ticker;
  private final DelayQueue<Task> tasks = new DelayQueue<>();
  private final Thread thread = new Thread(this::run, "coalescer timer");
  private volatile boolean closed;

  FlushTimer(Ticker ticker) {
    this.ticker = ticker;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  boolean isClosed() {
    return closed;
  }

  /** Runs an action at a time, or immediately if the timer is closed. */
  void schedule(long at, Runnable action) {
    tasks.add(new Task(at, action, ticker));
    if (closed) {
      runAll();
    }
  }

  /** Runs the actions that are due. */
  void runDue() {
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.action.run();
    }
  }

  /** Stops the thread and runs all actions that are left, whatever their times. */
  void close() {
    closed = true;
    tasks.add(new Task(ticker.nanos(), () -> {}, ticker)); // Wakes the thread.
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    runAll();
  }

  private void runAll() {
    for (Task task = tasks.peek(); task != null; task = tasks.peek()) {
      if (tasks.remove(task)) {
        task.action.run();
      }
    }
  }

  private void run() {
    while (!closed) {
      try {
        tasks.take().action.run();
      } catch (InterruptedException | RuntimeException | Error e) {
        // This thread is never interrupted, and must survive an action that throws.
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    }
  }

  private record Task(long at, Runnable action, Ticker ticker) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - ticker.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.signum(at - ((Task) other).at);
    }
  }
}
