package io.heatshield.limit.coalesce;

import io.heatshield.time.Ticker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The timer: the thread that looks at flights when their window is over and nobody else did. */
final class Departures implements Runnable {
  /*
   * Who gathers first has its key put at the end of the queue, with a moment at most one window away.
   * The timer waits for the first of the queue alone: whatever is behind it came later, so it waits at
   * most until a window after the first came, which is at most a window after it came itself.
   *
   * idle, closed   volatile: who adds reads them after adding, who sleeps or ends looks after writing
   */
  private static final long NOTHING = Long.MAX_VALUE;

  private final Ticker ticker;
  private final Queue<Flights> queue = new ConcurrentLinkedQueue<>();
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
      long left = look();
      if (left == NOTHING) {
        idle = true;
        if (queue.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        idle = false;
      } else {
        LockSupport.parkNanos(this, left);
      }
    }
  }

  /** Looks, and survives whatever that throws: others are behind. */
  private long look() {
    try {
      return expire(ticker.nanos());
    } catch (RuntimeException | Error e) {
      timer.getUncaughtExceptionHandler().uncaughtException(timer, e);
      return 0;
    }
  }

  /** Looks at the flights that are due, and returns the nanoseconds until the next. */
  long expire(long now) {
    for (Flights first = queue.peek(); first != null; first = queue.peek()) {
      long left = first.dueAt() - now;
      if (left > 0) {
        return left;
      }
      queue.poll();
      first.expired();
    }
    return NOTHING;
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
    @Nullable Flights next = queue.poll();
    while (next != null) {
      next.expired();
      next = queue.poll();
    }
  }
}
