package io.heatshield.testkit.net;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The current fault of a proxy, and the condition on which its threads wait.
 *
 * <p>Any thread may call it. A wait ends early when another fault is set.
 */
final class FaultSwitch {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Fault fault = Fault.of(Fault.Kind.PASS);

  Fault get() {
    return fault;
  }

  void set(Fault next) {
    lock.lock();
    try {
      fault = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes every waiting thread check again whether it still has a reason to wait. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the time of the given fault.
   *
   * @return false if another fault was set, or the reason to wait ended, before the time was over
   */
  boolean waitOut(Fault current, BooleanSupplier reason) throws InterruptedException {
    long left = current.nanos;
    lock.lockInterruptibly();
    try {
      while (left > 0 && fault == current && reason.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
      return fault == current && reason.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }
}
