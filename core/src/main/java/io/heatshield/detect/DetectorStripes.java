package io.heatshield.detect;

import io.heatshield.time.SpinWait;

/**
 * The stripes of a detector: each touch is counted in one of them, and a key's count is the sum.
 *
 * <p>A sum takes the stripes' locks one after the other, never two at once, so it is no snapshot.
 * It has every touch that was over when it began, and those of the concurrent touches that it met.
 */
final class DetectorStripes {
  /*
   * homes[thread id % 64] is the stripe that a thread tries first. A thread that finds its stripe
   * taken by another thread's touch moves to a free one and stays there, so threads that collide
   * separate for good. One that finds it taken by a sum waits for the end of the visit: another
   * stripe would not be in this processor's cache. Read and written plainly: a lost or late write
   * costs a collision and no count.
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

  /** Returns a stripe whose lock the caller now holds. */
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
      sum += WindowedStripe.whole(stripe.estimate(hash, epoch));
      stripe.unlock();
    }
    return sum;
  }

  /** Returns the part of the present pane and some before it in the estimate over all stripes. */
  long sumOfPanes(long hash, long epoch, int full) {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += stripe.estimateOfLast(hash, epoch, full);
      stripe.unlock();
    }
    return sum;
  }

  /** Returns the exact count of the key with a number over all stripes. */
  long exact(int number, long epoch) {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += stripe.exact(number, epoch);
      stripe.unlock();
    }
    return sum;
  }

  /** Returns how long ago the key with a number was touched or got its number. */
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
   * Clears the exact counts of a number before a key gets it. Its last owner must have been
   * unpublished before: a touch looks its key's number up under a stripe's lock, so one that still
   * found the last owner is cleared here, and a later one does not find it.
   */
  void reset(int number, long now) {
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      stripe.reset(number, now);
      stripe.unlock();
    }
  }

  boolean isSaturated(long hash, long epoch) {
    boolean saturated = false;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      saturated |= stripe.isSaturated(hash, epoch);
      stripe.unlock();
    }
    return saturated;
  }

  /**
   * Returns a copy of what the window holds, with so many neighbouring cells in one.
   *
   * <p>No lock is held for more than {@value #COPY_STEP} cells. A touch that comes in the meantime
   * is in some of its cells or in none; one that was over when the copy began is in all.
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
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += stripe.inWindow(epoch);
      stripe.unlock();
    }
    return sum;
  }

  /** Returns the sum of all weights ever. */
  long touches() {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += stripe.touches();
      stripe.unlock();
    }
    return sum;
  }

  private WindowedStripe enterAnother(int thread) {
    WindowedStripe taken = homes[thread];
    if (taken.tryLockAfterVisit()) {
      return taken;
    }
    int home = 0;
    while (stripes[home] != taken) {
      home++;
    }
    for (int round = 0; ; round++) {
      for (int i = 1; i <= stripes.length; i++) {
        WindowedStripe next = stripes[(home + i) & (stripes.length - 1)];
        if (next.tryLock()) {
          homes[thread] = next;
          return next;
        }
      }
      SpinWait.pause(round);
    }
  }
}
