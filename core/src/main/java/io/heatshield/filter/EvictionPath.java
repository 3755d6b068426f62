package io.heatshield.filter;

/**
 * Finds a chain of moves that frees a slot in one of two full buckets, and performs the moves.
 *
 * <p>One thread at a time uses it, under the table's search lock. Other writers may add and delete
 * meanwhile.
 */
final class EvictionPath {
  /*
   * The search is breadth first. It starts with the two full buckets, continues with the other
   * buckets of the fingerprints in them, and ends when a bucket has an empty slot or when four
   * buckets per permitted eviction have been read. With four slots per bucket the shortest chain
   * rarely has more than five moves, while a random walk that reads as many buckets makes hundreds
   * of moves. 500 evictions (2,000 buckets) fill a table beyond 96 % of its slots. A shortest chain
   * never visits a bucket twice, so its moves do not interfere with each other.
   *
   * The search reads without locks. Each move locks its two buckets and checks that they still hold
   * what the search has read. If another writer has changed them, the remaining moves are skipped
   * and the caller tries again. "No room" is returned only if the search has read every bucket
   * within its limit and found no empty slot.
   */
  private static final int BUCKETS_PER_EVICTION = 4;

  private static final int SLOT_SHIFT = 3;
  private static final int SLOT_MASK = (1 << SLOT_SHIFT) - 1;

  private final Lookup lookup;
  private final PackedTable packed;
  private final FilterLocks locks;
  private final int bucketSize;
  private final int maxEvictions;

  /** The bucket of each search node, in the order of the search. */
  private final long[] buckets;

  /** The node from which each node was reached and the slot there; negative for the first two. */
  private final int[] parents;

  EvictionPath(
      Lookup lookup, PackedTable packed, FilterLocks locks, Geometry geometry, int maxEvictions) {
    this.lookup = lookup;
    this.packed = packed;
    this.locks = locks;
    this.bucketSize = geometry.bucketSize();
    this.maxEvictions = maxEvictions;
    int maxNodes = maxNodes(geometry.buckets(), maxEvictions);
    this.buckets = new long[maxNodes];
    this.parents = new int[maxNodes];
  }

  static long bytes(long buckets, int maxEvictions) {
    return maxNodes(buckets, maxEvictions) * (long) (Long.BYTES + Integer.BYTES);
  }

  int maxEvictions() {
    return maxEvictions;
  }

  /** Returns the number of fingerprints moved, or -1 if there is no empty slot within the limit. */
  int freeSlot(long a, long b) {
    buckets[0] = a;
    buckets[1] = b;
    parents[0] = -1;
    parents[1] = -1;
    int nodes = 2;
    for (int node = 0; node < nodes; node++) {
      long bucket = buckets[node];
      for (int slot = 0; slot < bucketSize; slot++) {
        long fingerprint = packed.get(bucket, slot);
        if (fingerprint == 0) {
          return moveAlong(node);
        }
        if (nodes == buckets.length) {
          return -1;
        }
        long other = lookup.otherBucket(bucket, fingerprint);
        buckets[nodes] = other;
        parents[nodes] = node << SLOT_SHIFT | slot;
        if (packed.slotOf(other, 0) >= 0) {
          return moveAlong(nodes);
        }
        nodes++;
      }
    }
    return -1;
  }

  /** Performs the moves of the chain that ends in the given node, the last move first. */
  private int moveAlong(int last) {
    int moves = 0;
    int node = last;
    while (parents[node] >= 0) {
      int parent = parents[node] >> SLOT_SHIFT;
      if (!move(buckets[parent], parents[node] & SLOT_MASK, buckets[node])) {
        return moves;
      }
      moves++;
      node = parent;
    }
    return moves;
  }

  private boolean move(long from, int fromSlot, long to) {
    locks.lock(from, to);
    try {
      long fingerprint = packed.get(from, fromSlot);
      int toSlot = packed.slotOf(to, 0);
      if (fingerprint == 0 || toSlot < 0 || lookup.otherBucket(from, fingerprint) != to) {
        return false;
      }
      packed.set(to, toSlot, fingerprint);
      lookup.raiseVersion(fingerprint);
      packed.set(from, fromSlot, 0);
      return true;
    } finally {
      locks.unlock(from, to);
    }
  }

  private static int maxNodes(long buckets, int maxEvictions) {
    return 2 + (int) Math.min(BUCKETS_PER_EVICTION * (long) maxEvictions, 16 * buckets);
  }
}
