package io.heatshield.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The timer: the thread that ends commands at their deadline, whatever their flusher is doing. */
final class Deadlines implements Runnable {
  /*
   * All commands have the same budget, so a command that comes after a look is not due before one
   * budget after it: the timer sleeps until the first deadline that it has seen, or for a budget, and
   * needs no word from those who submit. At most 10 ms, so that what is done does not pile up.
   */
  private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

  private final Route route;
  private final Settings settings;
  private final Thread timer;
  private volatile boolean closed;

  Deadlines(Route route, Settings settings) {
    this.route = route;
    this.settings = settings;
    this.timer = new Thread(this, "redis deadlines");
    timer.setDaemon(true);
  }

  void start() {
    timer.start();
  }

  @Override
  public void run() {
    long most = Math.min(settings.budgetNanos(), MAX_SLEEP_NANOS);
    while (!closed) {
      LockSupport.parkNanos(this, expire(most));
    }
  }

  /** Survives whatever that throws: without this thread nobody would be answered in time. */
  private long expire(long most) {
    try {
      return route.expire(settings.ticker().nanos(), most);
    } catch (RuntimeException | Error e) {
      LOG.error("deadlines were not looked at", e);
      return most;
    }
  }

  /** Ends the thread and waits for it. */
  void close() {
    closed = true;
    LockSupport.unpark(timer);
    boolean interrupted = false;
    while (timer.isAlive()) {
      try {
        timer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
