package com.github.benmanes.caffeine.cache;

/**
 * Access to Caffeine's frequency sketch, which is package-private: this class is in Caffeine's
 * package and only delegates.
 */
public final class CaffeineSketch {
  private final FrequencySketch sketch = new FrequencySketch();

  /** Creates the sketch of a cache with this number of entries. */
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
