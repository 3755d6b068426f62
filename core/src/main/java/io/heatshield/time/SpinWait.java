package io.heatshield.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A way to wait for a lock that another thread holds for a short time.
 *
 * <p>It is only for locks whose holder never waits: the holder acquires no other lock, calls no
 * code of others and does no I/O. The wait then ends when the holder has had enough processor time.
 */
public final class SpinWait {
  /*
   * Most locks are held for less than 100 ns, so the first rounds spin. If the lock is still held
   * then, its holder has lost its processor and may need this one, so the next rounds yield. If the
   * lock is still held after that, its holder does something long, such as copying a large filter,
   * so the waiter sleeps.
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
  @SuppressWarnings(
      "ThreadPriorityCheck") // The yield only shortens the wait; no result depends on it.
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
