package io.heatshield.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits a moment for a lock that another thread holds for a short time.
 *
 * <p>Only for locks whose holder waits for nothing: it takes no lock out of order, calls no code of
 * others and does no I/O. The wait then ends as soon as the holder has had a processor for long
 * enough.
 */
public final class SpinWait {
  /*
   * Most locks are held for some dozen nanoseconds, so the first rounds spin. A holder that is not
   * done by then has lost its processor and may need this one, so the next rounds yield. One that
   * is still not done works long, such as on the copy of a large filter: the waiter sleeps and
   * leaves the processor to others.
   */
  private static final int SPINS = 100;
  private static final int YIELDS = 1000;
  private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private SpinWait() {}

  /**
   * Waits a moment.
   *
   * @param round how many rounds the caller has waited already, from 0
   */
  @SuppressWarnings("ThreadPriorityCheck") // Nothing is decided by it; it only shortens a wait.
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
