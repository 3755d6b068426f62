package io.heatshield.cli;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions, so long that only a server that hangs fails to meet them. */
public final class Wait {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Wait() {}

  /** A condition that asks a server. */
  public interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits until a condition holds. */
  public static void until(String what, Condition condition) throws IOException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > TIMEOUT_NANOS) {
        throw new AssertionError("condition not met in time: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
