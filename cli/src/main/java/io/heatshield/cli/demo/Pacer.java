package io.heatshield.cli.demo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at a constant rate, whether or not earlier ones were answered, from a thread of
 * its own.
 *
 * <p>Each request has the time at which it was due, so a reply's latency includes what a slow store
 * made the request wait before it was sent.
 */
final class Pacer implements AutoCloseable {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

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

  /** Starts to send. The load is closed with the pacer. */
  static Pacer start(String name, Load load, int perSecond) {
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
      if (elapsed - next * interval > MOST_LATE_NANOS) {
        // The machine was asleep: what was due then is not made up for.
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
