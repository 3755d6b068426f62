package io.heatshield.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a lock that another thread holds for a short time.
 *
 * <p>Only for locks whose holder does not wait: it takes no lock out of order, calls no foreign
 * code and does no I/O. The wait then ends as soon as the holder has had enough processor time.
 */
public final class SpinWait {
  /*
   * Most locks are held for some dozen nanoseconds, so the first rounds spin. If the holder is not
   * done by then, it has lost its processor and may need this one, so the next rounds yield. If it
   * is still not done, it has long work, such as the copy of a large filter, so the waiter sleeps.
   */
  private static final int SPINS = 100;
  private static final int YIELDS = 1000;
  private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private SpinWait() {}

  /**
   * Waits for one round.
   *
   * @param round the number of earlier rounds of the same wait
   */
  @SuppressWarnings("ThreadPriorityCheck") // No result depends on it; it only shortens a wait.
  public static void pause(int round) {
    if (round < SPINS) {
      Thread.onSpinWait();
    } else if (round < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SLEEP_NANOS);
    }
  }
}
