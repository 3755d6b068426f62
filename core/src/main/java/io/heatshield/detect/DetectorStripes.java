package io.heatshield.detect;

import io.heatshield.time.SpinWait;
import java.util.function.ToLongFunction;

/**
 * The stripes of a detector: each touch is counted in one of them, and a key's count is the sum.
 *
 * <p>A sum locks one stripe after the other, so it is not a snapshot. It includes every touch that
 * had ended when it began, and may include concurrent ones.
 */
final class DetectorStripes {
  /*
   * homes[thread id % 64] is the stripe that a thread tries first. A thread that finds its stripe
   * locked by another thread's touch moves to a free one and stays there, so threads that collide
   * separate permanently. If the stripe is locked by a sum, the thread waits for the sum to unlock
   * it, because another stripe would not be in this processor's cache. Read and written plainly: a
   * lost or late write may cause a collision, but loses no count.
   */
  private static final int HOMES = 64;

  private static final int COPY_STEP = 1024;

  private final WindowedStripe[] stripes;
  private final WindowedStripe[] homes = new WindowedStripe[HOMES];

  DetectorStripes(DetectorSettings settings, int numbers) {
    stripes = new WindowedStripe[settings.stripes()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] =
          new WindowedStripe(settings.width(), settings.depth(), settings.panes(), numbers);
    }
    for (int i = 0; i < HOMES; i++) {
      homes[i] = stripes[i & (stripes.length - 1)];
    }
  }

  /** Returns the bytes of all stripes with the given number of exact counts each. */
  static long bytes(DetectorSettings settings, int numbers) {
    return settings.stripes()
        * WindowedStripe.bytes(settings.width(), settings.depth(), settings.panes(), numbers);
  }

  /** Locks a stripe and returns it. */
  WindowedStripe enter() {
    int thread = (int) Thread.currentThread().getId() & (HOMES - 1);
    WindowedStripe home = homes[thread];
    return home.tryLock() ? home : enterAnother(thread);
  }

  int count() {
    return stripes.length;
  }

  /** Returns the estimate of a hash over all stripes. */
  long sum(long hash, long epoch) {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += WindowedStripe.total(stripe.estimate(hash, epoch));
      stripe.unlock();
    }
    return sum;
  }

  /** Returns the estimate over all stripes for the current pane and some full panes before it. */
  long sumOfPanes(long hash, long epoch, int full) {
    return sum(stripe -> stripe.estimateOfLast(hash, epoch, full));
  }

  /** Returns the exact count of the key with a number over all stripes. */
  long exact(int number, long epoch) {
    return sum(stripe -> stripe.exact(number, epoch));
  }

  /** Returns the time since the key with a number was last touched or got its number. */
  long age(int number, long now) {
    long age = Long.MAX_VALUE;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      age = Math.min(age, stripe.age(number, now));
      stripe.unlock();
    }
    return age;
  }

  /**
   * Clears the exact counts of a number before a key gets it. The number's last owner must have
   * been unpublished before. A touch looks up its key's number under a stripe's lock, so a touch
   * that still found the last owner is cleared here, and a later one does not find it.
   */
  void reset(int number, long now) {
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      stripe.reset(number, now);
      stripe.unlock();
    }
  }

  boolean isSaturated(long hash, long epoch) {
    return sum(stripe -> stripe.isSaturated(hash, epoch) ? 1 : 0) > 0;
  }

  /**
   * Returns a copy of the window's counters, with {@code fold} neighbouring cells in one.
   *
   * <p>No lock is held for more than {@value #COPY_STEP} cells. A concurrent touch is in some of
   * its cells or in none; one that had ended when the copy began is in all.
   */
  WindowCounts counts(DetectorSettings settings, long epoch, int fold) {
    int width = settings.width();
    int folded = WindowCounts.folded(width, fold);
    long total = inWindow(epoch);
    int[] sums = new int[settings.depth() * folded];
    for (WindowedStripe stripe : stripes) {
      for (int row = 0; row < settings.depth(); row++) {
        for (int from = 0; from < width; from += COPY_STEP) {
          int to = Math.min(width, from + COPY_STEP);
          stripe.lock();
          stripe.addCells(row, from, to, epoch, fold, sums);
          stripe.unlock();
        }
      }
    }
    return WindowCounts.of(width, settings.depth(), fold, total, sums);
  }

  /** Returns the sum of the weights in the window. */
  long inWindow(long epoch) {
    return sum(stripe -> stripe.inWindow(epoch));
  }

  /** Returns the sum of all weights since the detector was created. */
  long touches() {
    return sum(WindowedStripe::touches);
  }

  private long sum(ToLongFunction<WindowedStripe> part) {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += part.applyAsLong(stripe);
      stripe.unlock();
    }
    return sum;
  }

  private WindowedStripe enterAnother(int thread) {
    WindowedStripe home = homes[thread];
    if (home.tryLockAfterVisit()) {
      return home;
    }
    for (int tries = 0; ; tries++) {
      WindowedStripe next = stripes[(thread + tries) & (stripes.length - 1)];
      if (next.tryLock()) {
        homes[thread] = next;
        return next;
      }
      SpinWait.pause(tries);
    }
  }
}
