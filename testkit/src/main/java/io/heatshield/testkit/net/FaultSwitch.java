package io.heatshield.testkit.net;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The present fault of a proxy, and the place where its threads wait.
 *
 * <p>Any thread may call it. A wait ends early when the fault is switched.
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

  /** Makes every waiting thread look again at whether it still has a reason to wait. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits as long as the held fault says.
   *
   * @return false if the fault was switched or the reason to wait went away before the end
   */
  boolean waitOut(Fault held, BooleanSupplier reason) throws InterruptedException {
    long left = held.nanos;
    lock.lockInterruptibly();
    try {
      while (left > 0 && fault == held && reason.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
      return fault == held && reason.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }
}
