package io.heatshield.filter;

import io.heatshield.time.SpinWait;
import java.util.concurrent.atomic.AtomicLongArray;

/** The spin locks of a table's writers, each for some regions of buckets. */
final class FilterLocks {
  /*
   * locks[i]   0 free, 1 held; acquired by compareAndSet, released by setRelease
   *
   * The last lock is the search lock: its holder searches for an eviction chain. The others guard
   * the buckets. A bucket lock is held for some tens of nanoseconds, never during a callback or a
   * search, except when all locks are held to copy, shrink, clear or replace the table.
   *
   * Locks are acquired in a fixed order: the search lock first, then bucket locks by increasing
   * index. A holder only reads and writes memory and never waits for a lock that comes earlier in
   * this order, so there is no deadlock. Waiting allocates nothing.
   *
   * Each lock has its own cache line.
   */
  private static final int MAX_BUCKET_LOCKS = 64;
  private static final int LINE_SHIFT = 3;

  private final AtomicLongArray locks;
  private final int mask;

  /** Creates one lock per region of the buckets, rounded down to a power of two, at most 64. */
  FilterLocks(long buckets) {
    int count = bucketLocks(buckets);
    this.mask = count - 1;
    this.locks = new AtomicLongArray((count + 1) << LINE_SHIFT);
  }

  static long bytes(long buckets) {
    return (bucketLocks(buckets) + 1L) * (Long.BYTES << LINE_SHIFT);
  }

  /** Acquires the locks of two buckets. */
  void lock(long a, long b) {
    int first = Math.min(index(a), index(b));
    int second = Math.max(index(a), index(b));
    acquire(first);
    if (first != second) {
      acquire(second);
    }
  }

  void unlock(long a, long b) {
    int first = index(a);
    int second = index(b);
    release(first);
    if (first != second) {
      release(second);
    }
  }

  void lockSearch() {
    acquire(mask + 1);
  }

  void unlockSearch() {
    release(mask + 1);
  }

  /** Acquires every lock, so that no writer is active until they are released. */
  void lockAll() {
    lockSearch();
    for (int i = 0; i <= mask; i++) {
      acquire(i);
    }
  }

  void unlockAll() {
    for (int i = mask; i >= 0; i--) {
      release(i);
    }
    unlockSearch();
  }

  private int index(long bucket) {
    return (int) (bucket >>> PackedTable.REGION_SHIFT) & mask;
  }

  private void acquire(int index) {
    for (int round = 0; !locks.compareAndSet(index << LINE_SHIFT, 0, 1); round++) {
      SpinWait.pause(round);
    }
  }

  private void release(int index) {
    locks.setRelease(index << LINE_SHIFT, 0);
  }

  private static int bucketLocks(long buckets) {
    long regions = buckets >>> PackedTable.REGION_SHIFT;
    return (int) Math.min(MAX_BUCKET_LOCKS, Long.highestOneBit(Math.max(1, regions)));
  }
}
