package io.heatshield.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that were started, to be stopped last first within one deadline.
 *
 * <p>A part that fails to stop does not keep the others from it. One thread adds; any thread may
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
      try {
        part.stop().within(left(deadline, start));
      } catch (RuntimeException e) {
        fine = false;
        log.error("{} did not stop cleanly", part.name(), e);
      }
    }
    return fine && System.nanoTime() - start <= deadline.toNanos();
  }

  private static Duration left(Duration deadline, long start) {
    Duration left = deadline.minusNanos(System.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
