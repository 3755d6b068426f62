package io.heatshield.sketch;

import io.heatshield.hash.KeyHash;
import io.heatshield.time.SpinWait;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A count-min sketch: estimates the counts of any number of keys in fixed memory.
 *
 * <p><b>Error.</b> An estimate is never below the true count. With width w, depth d and N touches
 * in total, it exceeds the true count by more than e/w x N ({@link #errorBound}) with a probability
 * of at most exp(-d) over the secrets ({@link #confidence} is 1 - exp(-d)), for each key alone.
 * Conservative update, the default, has a far lower error on skewed traffic.
 *
 * <p><b>Memory.</b> {@link #bytes}: stripes x (width x depth x 4 or 8 bytes, plus about 370). It
 * never changes.
 *
 * <p><b>Limits.</b> The error bound does not hold for hashes that are not from a {@link KeyHash},
 * or whose secret is known to those who choose the keys. A counter that has reached its ceiling
 * stays there: {@link #isSaturated()} returns true until {@link #clear}, and estimates may then be
 * below the true count. Halving has the effect that {@link #halveStep} describes, and adds one per
 * stripe to the error. The hashes in one sketch must be of one secret.
 *
 * <p><b>Threads.</b> Any thread may call any method, unless the sketch was built for a {@linkplain
 * SketchBuilder#singleWriter single writer}. {@link #estimate} takes no lock. It includes every
 * touch that was added before the call; a concurrent one is included wholly, in part or not at all.
 * No touch is lost.
 */
public final class CountMinSketch {
  /*
   * Two threads that raise one conservative counter from 5 would both write 6, and a touch would be
   * lost. So each stripe is a whole sketch with one writer at a time: a thread tries the stripe
   * that its id selects, and the next one if that is locked. The estimate is the sum over the
   * stripes. Each stripe's estimate is at least its own touches of the key, so the sum is at least
   * all of them. A sum of row minima is at most the minimum of row sums, so the error bound is that
   * of one sketch with all touches. See ADR-0006.
   *
   * Access modes and the tests that pin them are in SketchStripe. Slow operations (halving,
   * merging, clearing, storing) run one at a time under the monitor of `slow`, and lock one stripe
   * at a time. No touch waits for the monitor, and with two stripes or more none waits for a slow
   * operation. Every wait for a stripe ends: the thread that has locked it only works on the
   * stripe's memory.
   */

  private final SketchShape shape;
  private final boolean locked;
  private final SketchStripe[] stripes;
  private final Object slow = new Object();

  /** The stripe that is being halved or is next; guarded by slow. */
  private int halving;

  CountMinSketch(SketchShape shape) {
    this.shape = shape;
    this.locked = !shape.singleWriter();
    this.stripes = new SketchStripe[shape.stripes()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = shape.newStripe();
    }
  }

  /** Returns a builder with the defaults: 4 rows of 1,024 counters of 32 bits. */
  public static SketchBuilder builder() {
    return new SketchBuilder();
  }

  /**
   * Restores a sketch from a {@link #snapshot}.
   *
   * @throws IllegalArgumentException if the bytes are not a complete and intact snapshot of a known
   *     version, or if the hash function or its secret is not that of the snapshot
   */
  public static CountMinSketch restore(byte[] snapshot, KeyHash hash) {
    return SketchFormat.read(snapshot, hash.fingerprint());
  }

  /**
   * Adds touches of a key and returns its new estimate.
   *
   * @param hash the key's hash
   * @param n the number of touches, at least 1
   */
  public long add(long hash, long n) {
    requirePositive(n);
    SketchStripe own = lockAny();
    long estimate;
    try {
      estimate = own.add(hash, n);
    } finally {
      unlock(own);
    }
    return stripes.length == 1 ? estimate : plusOthers(estimate, hash, own);
  }

  /**
   * Adds touches of a key. Unlike {@link #add}, this reads no stripes of other threads, so it
   * scales with the number of writers.
   *
   * @param hash the key's hash
   * @param n the number of touches, at least 1
   */
  public void count(long hash, long n) {
    requirePositive(n);
    SketchStripe own = lockAny();
    try {
      own.add(hash, n);
    } finally {
      unlock(own);
    }
  }

  /** Returns the estimate of a key: at least its count, or the ceiling of its counters. */
  public long estimate(long hash) {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total() == 0 ? 0 : stripe.estimate(hash));
    }
    return sum;
  }

  /**
   * Adds the counts of another sketch.
   *
   * <p>Locks one stripe for a pass over its counters, so it is not for the path of a request. The
   * guarantees hold for the touches of both sketches, with either kind of update.
   *
   * @throws IllegalArgumentException if the other is this sketch or differs in width or depth
   */
  public void merge(CountMinSketch other) {
    if (other == this) {
      throw new IllegalArgumentException("other must be another sketch: this one");
    }
    if (other.width() != width() || other.depth() != depth()) {
      throw new IllegalArgumentException(
          "other must have dimensions " + dimensions() + ": " + other.dimensions());
    }
    synchronized (slow) {
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
  }

  /**
   * Halves the next counters, rounding up, and returns whether all counters have been halved. The
   * next call then starts from the beginning.
   *
   * <p>A key with c touches before a halving, a during it and b after it has an estimate of at
   * least (c + a) / 2 + b. Conservative update alone could not guarantee that: a touch during the
   * halving would see one halved row, take that as the key's count and not raise the rows that are
   * not yet halved, so it would be missing there. While a stripe is being halved, its touches are
   * therefore added to every row, with either kind of update.
   *
   * <p>No touch waits for more than one step, and none waits if there are two stripes.
   *
   * @param maxCounters the most counters to halve, at least 1
   */
  public boolean halveStep(int maxCounters) {
    if (maxCounters < 1) {
      throw new IllegalArgumentException("maxCounters must be at least 1: " + maxCounters);
    }
    synchronized (slow) {
      int left = maxCounters;
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
  }

  /** Clears all counts. A concurrent touch is counted or cleared. */
  public void clear() {
    synchronized (slow) {
      forEachLocked(SketchStripe::clear);
      halving = 0;
    }
  }

  /**
   * Returns the stored form of the sketch, for {@link #restore}.
   *
   * @param hash the function of the hashes that were added; its fingerprint is stored
   */
  public byte[] snapshot(KeyHash hash) {
    synchronized (slow) {
      SketchFormat.Writer writer = SketchFormat.begin(shape, hash.fingerprint(), halving);
      forEachLocked(writer::write);
      return writer.end();
    }
  }

  /** Returns the number of touches that were added, including those of merged sketches. */
  public long total() {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total());
    }
    return sum;
  }

  /** Returns by how much an estimate may exceed the count, with {@link #confidence}. */
  public long errorBound() {
    long rounding = isHalved() ? stripes.length : 0;
    return sum((long) Math.ceil(Math.E / width() * total()), rounding);
  }

  /** Returns the least probability that a key's error is within {@link #errorBound}. */
  public double confidence() {
    return 1 - Math.exp(-depth());
  }

  /** Returns whether a counter has reached its ceiling since the sketch was last cleared. */
  public boolean isSaturated() {
    return Arrays.stream(stripes).anyMatch(SketchStripe::isSaturated);
  }

  /** Returns whether a key's estimate is at the ceiling, so that its count may be higher. */
  public boolean isSaturated(long hash) {
    return Arrays.stream(stripes).anyMatch(stripe -> stripe.estimate(hash) == stripe.ceiling());
  }

  /** Returns the counters in a row. */
  public int width() {
    return shape.width();
  }

  /** Returns the number of rows. */
  public int depth() {
    return shape.depth();
  }

  /** Returns the number of stripes, each of width x depth counters. */
  public int stripes() {
    return stripes.length;
  }

  /** Returns the memory of all stripes in bytes, which never changes. */
  public long bytes() {
    return shape.bytes();
  }

  /** Sets the stripe that is being halved, of a snapshot. */
  void resumeHalving(int stripe) {
    synchronized (slow) {
      halving = stripe;
    }
  }

  SketchStripe stripe(int i) {
    return stripes[i];
  }

  private String dimensions() {
    return width() + " x " + depth();
  }

  private boolean isHalved() {
    return Arrays.stream(stripes).anyMatch(SketchStripe::isHalved);
  }

  private long plusOthers(long estimate, long hash, SketchStripe own) {
    long sum = estimate;
    for (SketchStripe stripe : stripes) {
      if (stripe != own && stripe.total() != 0) {
        sum = sum(sum, stripe.estimate(hash));
      }
    }
    return sum;
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

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static void requirePositive(long n) {
    if (n < 1) {
      throw new IllegalArgumentException("n must be at least 1: " + n);
    }
  }
}
