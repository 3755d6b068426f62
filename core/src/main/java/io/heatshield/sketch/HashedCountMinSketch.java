package io.heatshield.sketch;

/**
 * The view of a {@link CountMinSketch} for callers that compute the hashes of keys themselves.
 *
 * <p>A hash must be that of the key by the function that {@link CountMinSketch#hashed} was called
 * with: a wrong hash counts another key.
 */
public final class HashedCountMinSketch {
  private final CountMinSketch sketch;

  HashedCountMinSketch(CountMinSketch sketch) {
    this.sketch = sketch;
  }

  /** Returns the sketch. */
  public CountMinSketch sketch() {
    return sketch;
  }

  /** Counts one touch of the key with this hash. */
  public void touch(long hash) {
    sketch.count(hash, 1);
  }

  /** Counts a touch, with a weight of 0 or more, of the key with this hash. */
  public void touch(long hash, long weight) {
    sketch.count(hash, weight);
  }

  /** Returns the estimate of the key with this hash: never below its count. */
  public long estimate(long hash) {
    return sketch.stripes().estimate(hash);
  }
}
