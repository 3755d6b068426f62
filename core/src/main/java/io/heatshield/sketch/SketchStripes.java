package io.heatshield.sketch;

import io.heatshield.time.SpinWait;
import java.util.Arrays;
import java.util.function.Consumer;

/** The stripes of a sketch: a touch is counted in one of them, and an estimate is their sum. */
final class SketchStripes {
  /*
   * Two threads that raise one counter from 5 would both write 6, and a touch would be lost. So
   * each stripe is a whole sketch with one writer at a time: a thread tries the stripe that its id
   * selects, and the next one if that is locked. The estimate is the sum over the stripes. Each
   * stripe's estimate is at least its own touches of the key, so the sum is at least all of them. A
   * sum of row minima is at most the minimum of row sums, so the error bound is that of one sketch
   * with all touches. See ADR-0006.
   *
   * Access modes and the tests that pin them are in SketchStripe. Slow operations (halving,
   * merging, clearing, copying) run one at a time under the monitor of this object, and lock one
   * stripe at a time. No touch waits for the monitor, and with two stripes or more none waits for a
   * slow operation. Every wait for a stripe ends: the thread that has locked it only works on the
   * stripe's memory.
   */
  private final boolean locked;
  private final SketchStripe[] stripes;

  /** The stripe that is being halved or is next; guarded by this object's monitor. */
  private int halving;

  SketchStripes(SketchShape shape) {
    this(!shape.singleWriter(), new SketchStripe[shape.stripes()], 0);
    Arrays.setAll(stripes, i -> shape.newStripe());
  }

  /** Creates stripes from those of a stored sketch. */
  SketchStripes(boolean locked, SketchStripe[] stripes, int halving) {
    this.locked = locked;
    this.stripes = stripes;
    this.halving = halving;
  }

  /** Counts a touch in one stripe. */
  void add(long hash, long weight) {
    SketchStripe own = lockAny();
    try {
      own.add(hash, weight);
    } finally {
      unlock(own);
    }
  }

  /** Returns the estimate of a hash. */
  long estimate(long hash) {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total() == 0 ? 0 : stripe.estimate(hash));
    }
    return sum;
  }

  /** Adds the counts of the stripes of another sketch with the same dimensions. */
  synchronized void merge(SketchStripes other) {
    SketchStripe own = lockAny();
    try {
      for (int i = 0; i < own.length(); i++) {
        long sum = 0;
        for (SketchStripe stripe : other.stripes) {
          sum = sum(sum, stripe.cell(i));
        }
        own.addToCell(i, sum);
      }
      own.absorb(other.total(), other.isSaturated(), other.isHalved());
    } finally {
      unlock(own);
    }
  }

  /** Halves at most {@code max} counters; returns whether the last one was halved. */
  synchronized boolean halve(int max) {
    int left = max;
    while (left > 0) {
      SketchStripe stripe = stripes[halving];
      lock(stripe);
      try {
        if (stripe.sweep() == SketchStripe.AT_REST) {
          stripe.beginHalving();
        }
        left -= stripe.halveCells(left);
        if (stripe.sweep() == SketchStripe.AT_REST) {
          halving++;
        }
      } finally {
        unlock(stripe);
      }
      if (halving == stripes.length) {
        halving = 0;
        return true;
      }
    }
    return false;
  }

  synchronized void clear() {
    forEachLocked(SketchStripe::clear);
    halving = 0;
  }

  /** Returns a copy, which has no lock. */
  synchronized SketchStripes copy() {
    var copies = new SketchStripe[stripes.length];
    for (int i = 0; i < copies.length; i++) {
      SketchStripe stripe = stripes[i];
      lock(stripe);
      try {
        copies[i] = stripe.copy(stripe.length());
      } finally {
        unlock(stripe);
      }
    }
    return new SketchStripes(false, copies, halving);
  }

  long total() {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total());
    }
    return sum;
  }

  boolean isSaturated() {
    return Arrays.stream(stripes).anyMatch(SketchStripe::isSaturated);
  }

  boolean isHalved() {
    return Arrays.stream(stripes).anyMatch(SketchStripe::isHalved);
  }

  int count() {
    return stripes.length;
  }

  SketchStripe get(int i) {
    return stripes[i];
  }

  /** Returns the stripe that is being halved or is next. */
  synchronized int halving() {
    return halving;
  }

  /** Returns a sum, or the highest number if it overflows. */
  static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Locks a stripe that is free and returns it. */
  private SketchStripe lockAny() {
    if (!locked) {
      return stripes[0];
    }
    int mask = stripes.length - 1;
    int first = (int) Thread.currentThread().getId() & mask;
    SketchStripe stripe = stripes[first];
    return stripe.tryLock() ? stripe : lockAnother(first, mask);
  }

  private SketchStripe lockAnother(int first, int mask) {
    for (int tries = 1; ; tries++) {
      SketchStripe stripe = stripes[first + tries & mask];
      if (stripe.tryLock()) {
        return stripe;
      }
      SpinWait.pause(tries);
    }
  }

  private void forEachLocked(Consumer<SketchStripe> operation) {
    for (SketchStripe stripe : stripes) {
      lock(stripe);
      try {
        operation.accept(stripe);
      } finally {
        unlock(stripe);
      }
    }
  }

  private void lock(SketchStripe stripe) {
    if (!locked) {
      return;
    }
    for (int tries = 1; !stripe.tryLock(); tries++) {
      SpinWait.pause(tries);
    }
  }

  private void unlock(SketchStripe stripe) {
    if (locked) {
      stripe.unlock();
    }
  }
}
