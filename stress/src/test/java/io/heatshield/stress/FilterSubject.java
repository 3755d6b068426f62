package io.heatshield.stress;

import io.heatshield.filter.AddResult;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.HashedCuckooFilter;
import io.heatshield.filter.RemoveResult;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;

/** The filter under test, or with {@code -P broken} one with a known bug. */
interface FilterSubject {
  boolean add(long hash);

  boolean delete(long hash);

  boolean contains(long hash);

  static FilterSubject create() {
    FilterSubject filter = Boolean.getBoolean("stress.broken") ? new Naive() : new Real();
    for (long hash : FilterKeys.STORED) {
      filter.add(hash);
    }
    return filter;
  }

  /** Returns the number of stored keys that are not found. */
  default int missing() {
    int missing = 0;
    for (long hash : FilterKeys.STORED) {
      missing += contains(hash) ? 0 : 1;
    }
    return missing;
  }

  /** A filter of four buckets in four words. */
  final class Real implements FilterSubject {
    private final HashedCuckooFilter filter = create();

    private static HashedCuckooFilter create() {
      HashSecret secret = HashSecret.of(new byte[32]);
      return CuckooFilter.builder()
          .secret(secret)
          .expectedItems(10)
          .growth(Growth.REFUSE)
          .maxCopies(1)
          .build()
          .hashed(KeyHash.fast(secret));
    }

    @Override
    public boolean add(long hash) {
      return filter.add(hash) == AddResult.ADDED;
    }

    @Override
    public boolean delete(long hash) {
      return filter.remove(hash, () -> true) == RemoveResult.REMOVED;
    }

    @Override
    public boolean contains(long hash) {
      return filter.mightContain(hash);
    }

    /** Returns how often a stored key was moved to make room. */
    long moves() {
      return filter.filter().stats().moves();
    }
  }

  /**
   * Two buckets of 32 fingerprints of one bit that threads share without a lock. The first writer
   * moves everything to the other bucket: it erases the fingerprints and then writes them there.
   */
  final class Naive implements FilterSubject {
    private volatile long here;
    private volatile long there;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The fault that the tests must find.
    public boolean add(long hash) {
      boolean added = !contains(hash);
      move();
      here |= bit(hash);
      return added;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The fault that the tests must find.
    public boolean delete(long hash) {
      boolean found = contains(hash);
      move();
      here &= ~bit(hash);
      there &= ~bit(hash);
      return found;
    }

    @Override
    public boolean contains(long hash) {
      return ((here | there) & bit(hash)) != 0;
    }

    private void move() {
      long moved = here | there;
      // Writes the same value many times, so that a reader sees the gap within a short run.
      for (int i = 0; i < 20; i++) {
        here = 0;
        there = 0;
      }
      there = moved;
    }

    private static long bit(long hash) {
      for (int i = 0; i < FilterKeys.STORED.length; i++) {
        if (FilterKeys.STORED[i] == hash) {
          return 1L << i;
        }
      }
      return hash == FilterKeys.MOVERS[0] ? 1L << 40 : 1L << 41;
    }
  }
}
