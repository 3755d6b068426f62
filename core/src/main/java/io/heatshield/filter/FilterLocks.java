package io.heatshield.filter;

import io.heatshield.time.SpinWait;
import java.util.concurrent.atomic.AtomicLongArray;

/** The locks of a table's writers, each for some regions of buckets. */
final class FilterLocks {
  /*
   * locks[i]   0 free, 1 held   take: compareAndSet   free: release
   *
   * A lock is held for some dozen nanoseconds and never across a callback or a search, except the last one, which
   * belongs to whoever searches for room, and while all of them are held to copy, shrink, clear or replace the table.
   * Waiting allocates nothing. Locks are taken in the order: that of the search, then the others by rising number. Every
   * wait ends: whoever holds a lock works on memory alone and waits for no lock before it in that order.
   *
   * Each lock has a cache line of its own.
   */
  private static final int MOST = 64;
  private static final int LINE_SHIFT = 3;

  private final AtomicLongArray locks;
  private final int mask;

  /** Makes as many stripes as the buckets have regions, up to 64. */
  FilterLocks(long buckets) {
    int count = count(buckets);
    this.mask = count - 1;
    this.locks = new AtomicLongArray((count + 1) << LINE_SHIFT);
  }

  static long bytes(long buckets) {
    return (count(buckets) + 1L) * (Long.BYTES << LINE_SHIFT);
  }

  /** Takes the locks of the two buckets' regions. */
  void lock(long a, long b) {
    int one = stripe(a);
    int other = stripe(b);
    take(Math.min(one, other));
    if (one != other) {
      take(Math.max(one, other));
    }
  }

  void unlock(long a, long b) {
    int one = stripe(a);
    int other = stripe(b);
    if (one != other) {
      free(Math.max(one, other));
    }
    free(Math.min(one, other));
  }

  void lockSearch() {
    take(mask + 1);
  }

  void unlockSearch() {
    free(mask + 1);
  }

  /** Takes every lock: no writer is inside, none comes in. */
  void lockAll() {
    lockSearch();
    for (int stripe = 0; stripe <= mask; stripe++) {
      take(stripe);
    }
  }

  void unlockAll() {
    for (int stripe = mask; stripe >= 0; stripe--) {
      free(stripe);
    }
    unlockSearch();
  }

  private int stripe(long bucket) {
    return (int) (bucket >>> PackedTable.REGION_SHIFT) & mask;
  }

  private void take(int stripe) {
    for (int round = 0; !locks.compareAndSet(stripe << LINE_SHIFT, 0, 1); round++) {
      SpinWait.pause(round);
    }
  }

  private void free(int stripe) {
    locks.setRelease(stripe << LINE_SHIFT, 0);
  }

  private static int count(long buckets) {
    long regions = buckets >>> PackedTable.REGION_SHIFT;
    return (int) Math.min(MOST, Long.highestOneBit(Math.max(1, regions)));
  }
}
