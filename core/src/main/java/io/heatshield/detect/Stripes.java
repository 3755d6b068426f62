package io.heatshield.detect;

import io.heatshield.time.SpinWait;

/**
 * The stripes of a detector: each touch is counted in one of them, and a key's count is the sum.
 *
 * <p>A sum takes the stripes' locks one after the other, never two at once, so it is no snapshot:
 * it has every touch that was over when it began, and those of the touches in flight that it met.
 */
final class Stripes {
  /*
   * homes[thread id & 63] is the stripe that a thread begins with. A thread that finds its stripe taken by a touch moves
   * on to one that is free and stays there, so threads that collide part for good. One that finds it visited by a sum
   * waits for its end: another stripe would be far from this processor. Written and read plainly: a lost or late write
   * costs a collision.
   */
  private static final int HOMES = 64;

  private static final int COPY_STEP = 1024;

  private final WindowedStripe[] stripes;
  private final WindowedStripe[] homes = new WindowedStripe[HOMES];

  Stripes(DetectorSettings settings, int slots) {
    stripes = new WindowedStripe[settings.stripes()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new WindowedStripe(settings.width(), settings.depth(), settings.panes(), slots);
    }
    for (int i = 0; i < HOMES; i++) {
      homes[i] = stripes[i & (stripes.length - 1)];
    }
  }

  /** Returns the bytes of all stripes with so many slots each. */
  static long bytes(DetectorSettings settings, int slots) {
    return settings.stripes()
        * WindowedStripe.bytes(settings.width(), settings.depth(), settings.panes(), slots);
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

  WindowedStripe at(int i) {
    return stripes[i];
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

  /** Returns the exact count of a slot's key over all stripes. */
  long exact(Slot slot, long epoch) {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      sum += stripe.exact(slot, epoch);
      stripe.unlock();
    }
    return sum;
  }

  /** Returns how long ago a slot's key was touched, at most {@code most}. */
  long age(Slot slot, long now, long most) {
    long age = most;
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      age = Math.min(age, stripe.age(slot, now, most));
      stripe.unlock();
    }
    return age;
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
   * <p>No lock is held for more than {@value #COPY_STEP} cells. A touch that comes meanwhile is in
   * some of its cells or in none; every one that was over when the copy began is in all.
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
          stripe.addCells(row, from, to, epoch, fold, sums, row * folded);
          stripe.unlock();
        }
      }
    }
    return WindowCounts.of(width, settings.depth(), fold, total, sums);
  }

  /** Returns the sum of the weights in the window, after turning every stripe to the epoch. */
  long inWindow(long epoch) {
    for (WindowedStripe stripe : stripes) {
      stripe.lock();
      stripe.turnTo(epoch);
      stripe.unlock();
    }
    return lastInWindow();
  }

  /** Returns the sum of the weights in the window as of each stripe's last use. */
  long lastInWindow() {
    long sum = 0;
    for (WindowedStripe stripe : stripes) {
      sum += stripe.total();
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
