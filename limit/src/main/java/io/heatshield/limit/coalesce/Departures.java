package io.heatshield.limit.coalesce;

import io.heatshield.time.Ticker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The timer: the thread that looks at flights when their window is over and nobody else did, and at
 * those that an event loop was asked to look at, should it not have.
 */
final class Departures implements Runnable {
  /*
   * Who gathers first has its key put at the end of the queue, with a moment at most one window away.
   * The timer waits for the first of the queue alone: whatever is behind it came later, so it waits at
   * most until a window after the first came, which is at most a window after it came itself.
   *
   * What is watched has a queue of its own, in the order of its moments, as all of them are equally far.
   *
   * idle, closed   volatile: who adds reads them after adding, who sleeps or ends looks after writing
   */
  /** How long an event loop may take; one that ends may drop what it was asked. */
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long NOTHING = Long.MAX_VALUE;

  private final Ticker ticker;
  private final Queue<Flights> queue = new ConcurrentLinkedQueue<>();
  private final Queue<Watched> watched = new ConcurrentLinkedQueue<>();
  private final Thread timer;
  private volatile boolean idle;
  private volatile boolean closed;

  Departures(Ticker ticker) {
    this.ticker = ticker;
    this.timer = new Thread(this, "coalescer timer");
    timer.setDaemon(true);
  }

  void start() {
    timer.start();
  }

  /** Takes flights to look at when they are due. */
  void add(Flights flights) {
    queue.add(flights);
    added();
  }

  /** Takes flights to look at when an event loop had time enough to do it. */
  void watch(Flights flights) {
    watched.add(new Watched(flights, ticker.nanos() + PATIENCE_NANOS));
    added();
  }

  private void added() {
    if (idle) {
      LockSupport.unpark(timer);
    }
    if (closed) {
      expireAll();
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void run() {
    while (!closed) {
      if (look()) {
        sleep();
      }
    }
  }

  /** Waits for the first of the queue, or for whatever is added first if there is none. */
  private void sleep() {
    idle = true;
    Flights first = queue.peek();
    long now = ticker.nanos();
    long left = untilWatched(now);
    if (first != null) {
      idle = false;
      left = Math.min(left, first.dueAt() - now);
    }
    if (!closed) {
      LockSupport.parkNanos(this, left);
    }
    idle = false;
  }

  /** Looks, and survives whatever that throws: others are behind. False if it did. */
  private boolean look() {
    try {
      expire(ticker.nanos());
      return true;
    } catch (RuntimeException | Error e) {
      timer.getUncaughtExceptionHandler().uncaughtException(timer, e);
      return false;
    }
  }

  /** Looks at the flights that are due. */
  void expire(long now) {
    for (Watched first = watched.peek(); first != null; first = watched.peek()) {
      if (first.at - now > 0) {
        break;
      }
      overlook(watched.poll());
    }
    for (Flights first = queue.peek(); first != null; first = queue.peek()) {
      if (first.dueAt() - now > 0) {
        break;
      }
      expire(queue.poll());
    }
  }

  private long untilWatched(long now) {
    Watched first = watched.peek();
    return first == null ? NOTHING : first.at - now;
  }

  /** Ends the timer; from now on nothing waits for a window to end. */
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
    expireAll();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void expireAll() {
    while (!queue.isEmpty()) {
      expire(queue.poll());
    }
    while (!watched.isEmpty()) {
      overlook(watched.poll());
    }
  }

  /** Looks, unless who closes was faster. */
  private static void expire(@Nullable Flights flights) {
    if (flights != null) {
      flights.expired();
    }
  }

  private static void overlook(@Nullable Watched flights) {
    if (flights != null) {
      flights.flights.overlooked();
    }
  }

  private record Watched(Flights flights, long at) {}
}
