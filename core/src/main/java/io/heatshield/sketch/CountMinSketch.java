package io.heatshield.sketch;

import io.heatshield.hash.KeyHash;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A count-min sketch: estimates the counts of any number of keys in fixed memory.
 *
 * <pre>{@code
 * CountMinSketch sketch = CountMinSketch.builder().relativeError(0.001).confidence(0.99).build();
 * sketch.touch("user:42");
 * long count = sketch.estimate("user:42"); // never below the true count
 * }</pre>
 *
 * <p>A key is bytes, text as its UTF-8, or a number as its decimal digits: {@code 42} and {@code
 * "42"} are one key. A {@code HotKeyDetector} has a sketch for a sliding window, and knows the
 * hottest keys.
 *
 * <p><b>Error.</b> An estimate is never below the true count. With width w, depth d and N touches
 * in total, it exceeds the true count by more than e/w x N ({@link #errorBound}) with a probability
 * of at most exp(-d) over the secrets ({@link #confidence} is 1 - exp(-d)), for each key alone. A
 * touch raises only the counters that are below the key's new estimate, so the error is far lower
 * on skewed traffic.
 *
 * <p><b>Memory.</b> {@link #bytes}: stripes x (width x depth x 4 or 8 bytes, plus about 370). It
 * never changes.
 *
 * <p><b>Limits.</b> The error bound does not hold against those who know the secret. A counter that
 * has reached its ceiling stays there: {@link #isSaturated()} returns true until {@link #clear},
 * and estimates may then be below the true count. Halving has the effect that {@link #halveStep}
 * describes, and adds one per stripe to the error.
 *
 * <p><b>Threads.</b> Any thread may call any method, unless the sketch was built for a {@linkplain
 * CountMinSketchBuilder#singleWriter single writer}. {@code estimate} takes no lock. It includes
 * every touch that ended before the call; a concurrent one is included wholly, in part or not at
 * all. No touch is lost.
 */
public final class CountMinSketch {
  private final KeyHash hash;
  private final SketchShape shape;
  private final SketchStripes stripes;
  private final HashedCountMinSketch hashed = new HashedCountMinSketch(this);

  CountMinSketch(KeyHash hash, SketchShape shape, SketchStripes stripes) {
    this.hash = hash;
    this.shape = shape;
    this.stripes = stripes;
  }

  /** Returns a builder. */
  public static CountMinSketchBuilder builder() {
    return new CountMinSketchBuilder();
  }

  /** Counts one touch of a key. */
  public void touch(byte[] key) {
    count(hash.hash(key), 1);
  }

  /** Counts a touch of a key with a weight of 0 or more. */
  public void touch(byte[] key, long weight) {
    count(hash.hash(key), weight);
  }

  /** Counts one touch of the key in a buffer's remaining bytes; does not change the buffer. */
  public void touch(ByteBuffer key) {
    count(hash.hash(key), 1);
  }

  /** Counts a touch, with a weight, of the key in a buffer's remaining bytes. */
  public void touch(ByteBuffer key, long weight) {
    count(hash.hash(key), weight);
  }

  /** Counts one touch of the key whose bytes are the text's UTF-8. */
  public void touch(CharSequence key) {
    count(hash.hash(key), 1);
  }

  /** Counts a touch, with a weight, of the key whose bytes are the text's UTF-8. */
  public void touch(CharSequence key, long weight) {
    count(hash.hash(key), weight);
  }

  /** Counts one touch of the key whose bytes are the number's decimal digits. */
  public void touch(long key) {
    count(hash.hash(key), 1);
  }

  /** Counts a touch, with a weight, of the key whose bytes are the number's decimal digits. */
  public void touch(long key, long weight) {
    count(hash.hash(key), weight);
  }

  /** Returns the estimate of a key: at least its count, or the ceiling of its counters. */
  public long estimate(byte[] key) {
    return stripes.estimate(hash.hash(key));
  }

  /** Returns the estimate of the key in a buffer's remaining bytes. */
  public long estimate(ByteBuffer key) {
    return stripes.estimate(hash.hash(key));
  }

  /** Returns the estimate of the key whose bytes are the text's UTF-8. */
  public long estimate(CharSequence key) {
    return stripes.estimate(hash.hash(key));
  }

  /** Returns the estimate of the key whose bytes are the number's decimal digits. */
  public long estimate(long key) {
    return stripes.estimate(hash.hash(key));
  }

  /**
   * Returns the view for callers that compute the hashes of keys themselves.
   *
   * @param by the function that they use
   * @throws IllegalArgumentException if it is another function than {@link #keyHash}, or has
   *     another secret
   */
  public HashedCountMinSketch hashed(KeyHash by) {
    Objects.requireNonNull(by, "by");
    if (by.fingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("hash must be of the same function and secret");
    }
    return hashed;
  }

  /** Returns the hash function of the keys. */
  public KeyHash keyHash() {
    return hash;
  }

  /**
   * Adds the counts of another sketch.
   *
   * <p>Locks one stripe for a pass over its counters, so it is not for the path of a request. The
   * guarantees hold for the touches of both sketches.
   *
   * @throws IllegalArgumentException if the other is this sketch, differs in width or depth, or has
   *     another hash function or secret
   */
  public void merge(CountMinSketch other) {
    Objects.requireNonNull(other, "other");
    if (other == this) {
      throw new IllegalArgumentException("other must be another sketch: this one");
    }
    if (other.width() != width() || other.depth() != depth()) {
      throw new IllegalArgumentException(
          "other must have dimensions " + dimensions() + ": " + other.dimensions());
    }
    if (other.hash.fingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("other must be of the same hash function and secret");
    }
    stripes.merge(other.stripes);
  }

  /**
   * Halves the next counters, rounding up, and returns whether all counters have been halved. The
   * next call then starts from the beginning.
   *
   * <p>A key with c touches before a halving, a during it and b after it has an estimate of at
   * least (c + a) / 2 + b. Conservative update alone could not guarantee that: a touch during the
   * halving would see one halved row, take that as the key's count and not raise the rows that are
   * not yet halved, so it would be missing there. While a stripe is being halved, its touches are
   * therefore added to every row.
   *
   * <p>No touch waits for more than one step, and none waits if there are two stripes.
   *
   * @param maxCounters the most counters to halve, at least 1
   */
  public boolean halveStep(int maxCounters) {
    if (maxCounters < 1) {
      throw new IllegalArgumentException("maxCounters must be at least 1: " + maxCounters);
    }
    return stripes.halve(maxCounters);
  }

  /** Clears all counts. A concurrent touch is counted or cleared. */
  public void clear() {
    stripes.clear();
  }

  /**
   * Writes the sketch, in a form that {@link CountMinSketchBuilder#restore} reads with the same
   * secret. Copies the sketch, one stripe at a time, and then writes the copy; does not close the
   * stream.
   */
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    SketchSnapshot.write(out, shape, hash.fingerprint(), stripes.copy());
  }

  /** Returns the number of touches that were added, including those of merged sketches. */
  public long total() {
    return stripes.total();
  }

  /** Returns by how much an estimate may exceed the count, with {@link #confidence}. */
  public long errorBound() {
    long rounding = stripes.isHalved() ? stripes.count() : 0;
    return SketchStripes.sum((long) Math.ceil(Math.E / width() * total()), rounding);
  }

  /** Returns the least probability that a key's error is within {@link #errorBound}. */
  public double confidence() {
    return 1 - Math.exp(-depth());
  }

  /** Returns whether a counter has reached its ceiling since the sketch was last cleared. */
  public boolean isSaturated() {
    return stripes.isSaturated();
  }

  /** Returns the counters in a row. */
  public int width() {
    return shape.width();
  }

  /** Returns the number of rows. */
  public int depth() {
    return shape.depth();
  }

  /** Returns the memory of all stripes in bytes, which never changes. */
  public long bytes() {
    return shape.bytes();
  }

  /** Counts a touch of the key with a hash. */
  void count(long keyHash, long weight) {
    if (weight < 0) {
      throw new IllegalArgumentException("weight must not be negative: " + weight);
    }
    stripes.add(keyHash, weight);
  }

  SketchStripes stripes() {
    return stripes;
  }

  private String dimensions() {
    return width() + " x " + depth();
  }
}
