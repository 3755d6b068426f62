package io.heatshield.detect;

import io.heatshield.time.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The spin lock of a stripe, with the sum of the weights that were counted under it. */
abstract class StripeLock {
  /*
   * words[LOCK]      lock: CAS, acquire   unlock: release; this orders everything that holders
   *                  read and write
   * words[TOUCHES]   plain, by the holder only
   *
   * Both are written by every touch. They are in the middle of a separate array, 128 bytes from
   * either end, so that two stripes never share a cache line or a pair of lines.
   *
   * Every wait for the lock ends: between lock and unlock a thread only computes on its stripe. It
   * takes no other lock, allocates nothing and calls no foreign code. The value of the lock
   * distinguishes a touch from a visit, which only affects where a thread waits, see
   * DetectorStripes.
   *
   * Pinned by HotKeyDetectorLincheckTest and HotKeyDetectorStress.
   */
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int PADDING = 16;
  private static final int LOCK = PADDING;
  private static final int TOUCHES = PADDING + 1;
  private static final int LENGTH = 2 * PADDING + 2;

  private static final long FREE = 0;
  private static final long TOUCHED = 1;
  private static final long VISITED = 2;
  private static final int VISIT_SPINS = 100;

  static final int BYTES = 16 + LENGTH * Long.BYTES;

  private final long[] words = new long[LENGTH];

  /** Takes the lock for a touch if it is free. */
  final boolean tryLock() {
    return WORDS.weakCompareAndSetAcquire(words, LOCK, FREE, TOUCHED);
  }

  /** Takes the lock for a visit; spins, since it is held for some dozen nanoseconds. */
  final void lock() {
    for (int spins = 0; !WORDS.weakCompareAndSetAcquire(words, LOCK, FREE, VISITED); spins++) {
      SpinWait.pause(spins);
    }
  }

  /** Takes the lock for a touch, if a visit that holds it ends soon. */
  final boolean tryLockAfterVisit() {
    for (int spins = 0; spins < VISIT_SPINS; spins++) {
      if ((long) WORDS.getOpaque(words, LOCK) == TOUCHED) {
        return false;
      }
      if (tryLock()) {
        return true;
      }
      SpinWait.pause(spins);
    }
    return false;
  }

  final void unlock() {
    WORDS.setRelease(words, LOCK, FREE);
  }

  /** Returns the sum of all weights; by the holder. */
  final long touches() {
    return words[TOUCHES];
  }

  /** Adds a weight; by the holder. */
  final void addTouches(int weight) {
    words[TOUCHES] += weight;
  }
}
