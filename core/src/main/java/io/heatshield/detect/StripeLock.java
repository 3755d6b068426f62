package io.heatshield.detect;

import io.heatshield.time.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The lock of a stripe, in front of the words that its holder writes. */
abstract class StripeLock extends LineGap {
  /*
   * lock   take: CAS, acquire   give back: release
   *
   * Whether a touch or a visit took it orders nothing; it only guides who waits.
   *
   * Every wait for it ends: between lock and unlock a thread only computes on the words of this
   * stripe. It takes no other lock there, allocates nothing and calls no code of others. Budgets
   * takes its own lock first, never inside.
   */
  private static final VarHandle LOCK;
  private static final int SPINS = 100;

  private static final long FREE = 0;
  private static final long TOUCHED = 1;
  private static final long VISITED = 2;

  static {
    try {
      LOCK = MethodHandles.lookup().findVarHandle(StripeLock.class, "lock", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // Read and written through LOCK.
  private long lock;

  /** Takes the lock for a touch if it is free. */
  boolean tryLock() {
    return LOCK.weakCompareAndSetAcquire(this, FREE, TOUCHED);
  }

  /**
   * Takes the lock for a visit, spinning; a holder keeps it for a few dozen nanoseconds unless it
   * is paused.
   */
  void lock() {
    for (int spins = 0; ; spins++) {
      if ((long) LOCK.getOpaque(this) == FREE
          && LOCK.weakCompareAndSetAcquire(this, FREE, VISITED)) {
        return;
      }
      SpinWait.pause(spins);
    }
  }

  /** Waits while the lock is held for a visit, for a while; returns whether it was taken then. */
  boolean tryLockAfterVisit() {
    for (int spins = 0; spins < SPINS && (long) LOCK.getOpaque(this) != TOUCHED; spins++) {
      if (tryLock()) {
        return true;
      }
      SpinWait.pause(spins);
    }
    return false;
  }

  void unlock() {
    LOCK.setRelease(this, FREE);
  }
}
