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
 * Stops the started components in reverse order within one deadline. Thread-safe.
 *
 * <p>A component that fails or hangs does not prevent the others from stopping: each may take four
 * fifths of the remaining time, and the last one all of it. A second call does nothing.
 */
final class ShutdownSequence {
  private static final Logger log = LoggerFactory.getLogger(ShutdownSequence.class);

  private final Deque<Component> components = new ArrayDeque<>();

  /** Stops a component within a deadline. */
  @FunctionalInterface
  interface Stop {
    void within(Duration deadline);
  }

  private record Component(String name, Stop stop) {}

  synchronized void add(String name, Stop stop) {
    components.push(new Component(name, stop));
  }

  /** Stops every component. Returns whether all stopped cleanly before the deadline. */
  synchronized boolean stop(Duration deadline) {
    long start = System.nanoTime();
    boolean clean = true;
    while (!components.isEmpty()) {
      Component component = components.pop();
      Duration remaining = remaining(deadline, start);
      clean &=
          stop(
              component, components.isEmpty() ? remaining : remaining.multipliedBy(4).dividedBy(5));
    }
    return clean && System.nanoTime() - start <= deadline.toNanos();
  }

  /** Stops a component on a new thread, which is abandoned after a timeout. */
  private static boolean stop(Component component, Duration share) {
    try {
      CompletableFuture.runAsync(
              () -> component.stop().within(share),
              task -> Timer.daemon(task, "stop " + component.name()).start())
          .orTimeout(share.toNanos(), TimeUnit.NANOSECONDS)
          .join();
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException) {
        log.error("{} did not stop within {} ms", component.name(), share.toMillis());
      } else {
        log.error("{} did not stop cleanly", component.name(), e.getCause());
      }
      return false;
    }
  }

  private static Duration remaining(Duration deadline, long start) {
    Duration remaining = deadline.minusNanos(System.nanoTime() - start);
    return remaining.isNegative() ? Duration.ZERO : remaining;
  }
}
