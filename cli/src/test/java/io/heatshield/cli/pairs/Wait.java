package io.heatshield.cli.pairs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions, with a patience that only a server which hangs exhausts. */
final class Wait {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Wait() {}

  /** A condition that asks a server. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits until a condition holds. */
  static void until(String what, Condition condition) throws IOException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new AssertionError("still not so: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
