package io.heatshield.sketch;

import io.heatshield.hash.KeyHash;
import io.heatshield.time.SpinWait;
import java.util.Locale;

/**
 * A count-min sketch: the counts of unboundedly many keys in fixed memory, never below the truth.
 *
 * <p><b>Error.</b> With width w, depth d and N touches in all, an estimate exceeds the true count
 * by more than e/w x N ({@link #errorBound}) with a probability of at most exp(-d) over the secrets
 * ({@link #confidence} is 1 - exp(-d)), for each key alone. Conservative update, the default, stays
 * far inside it on skewed traffic. An estimate is never below the true count.
 *
 * <p><b>Memory.</b> {@link #bytes}: stripes x (width x depth x 4 or 8 bytes, and about 370), fixed
 * from the start.
 *
 * <p><b>What voids this.</b> Hashes that are not from a {@link KeyHash}, or whose secret is known
 * to who chooses the keys, void the error bound. A counter that has reached its ceiling stays
 * there: {@link #isSaturated()} says so until {@link #clear}, and estimates are then lower bounds
 * of what they would be. Halving means what {@link #halveStep} says, and adds one per stripe to the
 * error. Adding touches of one secret to those of another makes both unreadable.
 *
 * <p><b>Threads.</b> Any thread may call any method, unless the sketch was built for a {@linkplain
 * SketchBuilder#singleWriter single writer}. {@link #estimate} takes no lock. It counts every touch
 * that was added before it was asked, and of those added meanwhile each wholly, in part or not at
 * all. No touch is lost.
 */
public final class CountMinSketch {
  /*
   * Two threads that raise one conservative counter from 5 both write 6, and a touch is gone. So
   * each stripe is a whole sketch with one writer at a time: a thread tries the stripe that its
   * number picks, and the next one when that is taken. The estimate is the sum over the stripes.
   * Each stripe's estimate is at least its own touches of the key, so the sum is at least all of
   * them; and a sum of row minima is at most the minimum of row sums, so the bound is that of one
   * sketch which saw everything. ADR-0006 has the figures and what was rejected.
   *
   * Access modes and the tests that pin them are in SketchStripe. Slow work (halving, merging,
   * clearing, storing) runs under this object's `slow` monitor, one at a time, and takes each
   * stripe's lock in turn; no touch ever waits for the monitor, and with two stripes or more none
   * waits for the work. Every wait for a stripe ends: its holder works on the stripe's memory
   * alone, and the slow work holds one stripe at a time.
   */

  private final SketchShape shape;
  private final boolean locked;
  private final SketchStripe[] stripes;
  private final Object slow = new Object();

  /** The stripe whose halving is under way or next; guarded by slow. */
  private int halving;

  CountMinSketch(SketchShape shape) {
    this.shape = shape;
    this.locked = !shape.singleWriter();
    this.stripes = new SketchStripe[shape.stripes()];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = shape.newStripe();
    }
  }

  /** Returns a builder with the default shape: 4 rows of 1,024 counters of 32 bits. */
  public static SketchBuilder builder() {
    return new SketchBuilder();
  }

  /**
   * Returns the sketch that {@link #snapshot} stored.
   *
   * @throws IllegalArgumentException if the bytes are not a whole and intact snapshot of a version
   *     that is known, or were counted with another hash function or secret
   */
  public static CountMinSketch restore(byte[] snapshot, KeyHash hash) {
    return SketchFormat.read(snapshot, hash.fingerprint());
  }

  /**
   * Adds touches of a key and returns its estimate after.
   *
   * @param hash the key's hash
   * @param n how many, at least 1
   */
  public long add(long hash, long n) {
    requirePositive(n);
    SketchStripe own = take();
    long estimate;
    try {
      estimate = own.add(hash, n);
    } finally {
      give(own);
    }
    return stripes.length == 1 ? estimate : plusOthers(estimate, hash, own);
  }

  /**
   * Adds touches of a key without asking for its estimate, which spares a look at the stripes of
   * other threads: with several busy writers this scales where {@link #add} does not.
   *
   * @param hash the key's hash
   * @param n how many, at least 1
   */
  public void count(long hash, long n) {
    requirePositive(n);
    SketchStripe own = take();
    try {
      own.add(hash, n);
    } finally {
      give(own);
    }
  }

  /** Returns the estimate of a key: at least its count, or at least the counter's ceiling. */
  public long estimate(long hash) {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total() == 0 ? 0 : stripe.estimate(hash));
    }
    return sum;
  }

  /**
   * Adds what another sketch has counted.
   *
   * <p>Holds one stripe for as long as it takes to walk over the cells; it is not the way for
   * touches on a path. The guarantees hold for what both counted, in either way of update.
   *
   * @throws IllegalArgumentException if the other is this sketch or differs in width or depth
   */
  public void merge(CountMinSketch other) {
    if (other == this) {
      throw new IllegalArgumentException("other must be another sketch: this one");
    }
    if (other.width() != width() || other.depth() != depth()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "other must be of %d x %d: %d x %d",
              width(),
              depth(),
              other.width(),
              other.depth()));
    }
    synchronized (slow) {
      SketchStripe own = take();
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
        give(own);
      }
    }
  }

  /**
   * Halves at most this many more counters, rounding up, and returns whether the halving that it
   * began or went on with is done.
   *
   * <p>A key with c touches before the halving began, a during it and b after it has an estimate of
   * at least (c + a) / 2 + b. Conservative update alone could not hold that: a touch in mid-halving
   * would see one row halved, take that as the key's count and leave the rows still to be halved as
   * they are, and be lost from them. While a stripe is being halved its touches are therefore added
   * to every row, in either way of update.
   *
   * <p>No touch waits for more than one step, and none at all where there are two stripes.
   *
   * @param maxCounters how many, at least 1
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
          give(stripe);
        }
        if (halving == stripes.length) {
          halving = 0;
          return true;
        }
      }
      return false;
    }
  }

  /** Forgets all counts. A touch that is added meanwhile is counted or forgotten. */
  public void clear() {
    synchronized (slow) {
      for (SketchStripe stripe : stripes) {
        lock(stripe);
        try {
          stripe.clear();
        } finally {
          give(stripe);
        }
      }
      halving = 0;
    }
  }

  /**
   * Returns the sketch in its stored form, for {@link #restore} with the same hash function.
   *
   * @param hash the function whose hashes were added; its fingerprint is stored
   */
  public byte[] snapshot(KeyHash hash) {
    synchronized (slow) {
      SketchFormat.Writer writer = SketchFormat.begin(shape, hash.fingerprint(), halving);
      for (SketchStripe stripe : stripes) {
        lock(stripe);
        try {
          writer.write(stripe);
        } finally {
          give(stripe);
        }
      }
      return writer.end();
    }
  }

  /** Returns how many touches were added in all, those of merged sketches included. */
  public long total() {
    long sum = 0;
    for (SketchStripe stripe : stripes) {
      sum = sum(sum, stripe.total());
    }
    return sum;
  }

  /** Returns how much an estimate exceeds the count at most, with {@link #confidence}. */
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
    for (SketchStripe stripe : stripes) {
      if (stripe.isSaturated()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a key's estimate stands at a ceiling: it was touched at least so often. */
  public boolean isSaturated(long hash) {
    for (SketchStripe stripe : stripes) {
      if (stripe.estimate(hash) == stripe.ceiling()) {
        return true;
      }
    }
    return false;
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

  /** Takes over a halving that a snapshot was stored in the middle of. */
  void resumeHalving(int stripe) {
    synchronized (slow) {
      halving = stripe;
    }
  }

  SketchStripe stripe(int i) {
    return stripes[i];
  }

  private boolean isHalved() {
    for (SketchStripe stripe : stripes) {
      if (stripe.isHalved()) {
        return true;
      }
    }
    return false;
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

  /** Returns a stripe that is the caller's until it is given back. */
  private SketchStripe take() {
    if (!locked) {
      return stripes[0];
    }
    int mask = stripes.length - 1;
    int first = (int) Thread.currentThread().getId() & mask;
    SketchStripe stripe = stripes[first];
    return stripe.tryLock() ? stripe : takeNext(first, mask);
  }

  private SketchStripe takeNext(int first, int mask) {
    for (int tries = 1; ; tries++) {
      SketchStripe stripe = stripes[first + tries & mask];
      if (stripe.tryLock()) {
        return stripe;
      }
      SpinWait.pause(tries);
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

  private void give(SketchStripe stripe) {
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
