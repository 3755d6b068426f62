package io.heatshield.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that were started, to be stopped last first within one deadline.
 *
 * <p>A part that fails to stop, or hangs, does not keep the others from it: each may take four
 * fifths of the time that is left, and the last one all of it. One thread adds; any thread may
 * stop, and the second call finds nothing left.
 */
final class StopOrder {
  private static final Logger log = LoggerFactory.getLogger(StopOrder.class);

  private final Deque<Part> parts = new ArrayDeque<>();

  /** Stops one part within a deadline. */
  @FunctionalInterface
  interface Stop {
    void within(Duration deadline);
  }

  private record Part(String name, Stop stop) {}

  synchronized void add(String name, Stop stop) {
    parts.push(new Part(name, stop));
  }

  /** Stops every part and returns whether the deadline was kept and none failed. */
  synchronized boolean stop(Duration deadline) {
    long start = System.nanoTime();
    boolean fine = true;
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      Duration left = left(deadline, start);
      fine &= stop(part, parts.isEmpty() ? left : left.multipliedBy(4).dividedBy(5));
    }
    return fine && System.nanoTime() - start <= deadline.toNanos();
  }

  /** Stops a part on a thread of its own, and leaves it behind if that takes too long. */
  private static boolean stop(Part part, Duration share) {
    try {
      CompletableFuture.runAsync(
              () -> part.stop().within(share), task -> daemon(task, "stop " + part.name()).start())
          .orTimeout(share.toNanos(), TimeUnit.NANOSECONDS)
          .join();
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException) {
        log.error("{} did not stop within {} ms", part.name(), share.toMillis());
      } else {
        log.error("{} did not stop cleanly", part.name(), e.getCause());
      }
      return false;
    }
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static Duration left(Duration deadline, long start) {
    Duration left = deadline.minusNanos(System.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
