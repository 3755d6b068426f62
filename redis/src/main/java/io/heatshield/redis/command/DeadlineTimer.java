package io.heatshield.redis.command;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that fails commands at their deadline, whatever the threads that send them do. */
public final class DeadlineTimer implements AutoCloseable {
  /*
   * All commands have the same budget, so a command that is submitted while the timer sleeps is not
   * due earlier than one budget later. The timer sleeps until the first deadline that it has seen,
   * or for a budget, and needs no wake-up when a command is submitted. It sleeps at most 10 ms, so
   * that completed commands do not accumulate in the queues.
   */
  private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(DeadlineTimer.class);

  private final Route route;
  private final ClientSettings settings;
  private final Thread thread = new Thread(this::run, "redis deadlines");
  private volatile boolean closed;

  public DeadlineTimer(Route route, ClientSettings settings) {
    this.route = route;
    this.settings = settings;
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    long most = Math.min(settings.budgetNanos(), MAX_SLEEP_NANOS);
    while (!closed) {
      long sleep = most;
      try {
        sleep = route.expire(System.nanoTime(), most);
      } catch (RuntimeException | Error e) {
        // The thread must survive: without it no command would fail in time.
        LOG.error("checking the deadlines of Redis commands failed", e);
      }
      LockSupport.parkNanos(this, sleep);
    }
  }

  /** Stops the thread and waits for it. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
