package com.github.benmanes.caffeine.cache;

/**
 * Caffeine's frequency sketch, which is visible inside its package only; this class lies in that
 * package for that reason alone and adds nothing to the calls.
 */
public final class CaffeineSketch {
  private final FrequencySketch sketch = new FrequencySketch();

  /** Makes the sketch of a cache with so many entries. */
  public CaffeineSketch(long entries) {
    sketch.ensureCapacity(entries);
  }

  /** Counts one use. */
  public void increment(Object key) {
    sketch.increment(key);
  }

  /** Returns the popularity, 0 to 15. */
  public int frequency(Object key) {
    return sketch.frequency(key);
  }
}
