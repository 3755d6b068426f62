package io.heatshield.cli.demo.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at a constant rate from a background thread, independently of the replies.
 *
 * <p>Latency counts from the time at which a request was due, so it includes the time that a slow
 * store delayed the sending.
 */
public final class Pacer implements AutoCloseable {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Load load;
  private final Thread thread;
  private final int perSecond;
  private volatile boolean running = true;

  private Pacer(String name, Load load, int perSecond) {
    this.load = load;
    this.perSecond = perSecond;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Starts sending. Closing the pacer closes the load. */
  public static Pacer start(String name, Load load, int perSecond) {
    var pacer = new Pacer(name, load, perSecond);
    pacer.thread.start();
    return pacer;
  }

  @Override
  public void close() {
    running = false;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    load.close();
  }

  private void run() {
    double interval = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
    long start = System.nanoTime();
    long next = 0;
    while (running) {
      long elapsed = System.nanoTime() - start;
      if (elapsed - next * interval > MAX_DELAY_NANOS) {
        // The machine was suspended: requests that were due in that time are skipped.
        next = (long) (elapsed / interval);
      }
      while (next * interval <= elapsed) {
        load.send(start + (long) (next * interval));
        next++;
      }
      load.flush();
      LockSupport.parkNanos(this, STEP_NANOS);
    }
  }
}
