package io.heatshield.filter;

/**
 * The search for a chain of moves that frees a slot in one of two full buckets, and the moves.
 *
 * <p>Used under the search lock of its table, by one writer at a time; other writers add and delete
 * meanwhile.
 */
final class EvictionPath {
  /*
   * Breadth first: from the two full buckets to the other buckets of what lies in them, and on from there, until one has
   * an empty slot or four buckets for each permitted eviction were looked at. With four slots the shortest chain is rarely
   * longer than five moves, where a random walk of as many looks makes hundreds. 500 evictions, so 2,000 looks, carry a
   * table past 96 % of its slots. A shortest chain never visits a bucket twice, so its moves do not disturb each other.
   *
   * The search reads without locks. Each move then takes the locks of its two buckets and checks that what the search
   * saw still holds; if another writer was there first, the rest is given up and the caller tries again. Only a search
   * that looked at everything it may and saw no empty slot says that there is no room.
   */
  private static final int LOOKS_PER_EVICTION = 4;

  private static final int SLOT_SHIFT = 3;
  private static final int SLOT_MASK = (1 << SLOT_SHIFT) - 1;

  private final Lookup lookup;
  private final PackedTable packed;
  private final FilterLocks locks;
  private final int bucketSize;
  private final long[] bucket;

  /**
   * Index of the bucket that a search came from, and the slot there; negative for the first two.
   */
  private final int[] link;

  private final int maxEvictions;

  EvictionPath(
      Lookup lookup, PackedTable packed, FilterLocks locks, Geometry geometry, int maxEvictions) {
    this.lookup = lookup;
    this.packed = packed;
    this.locks = locks;
    this.bucketSize = geometry.bucketSize();
    this.maxEvictions = maxEvictions;
    int length = length(geometry.buckets(), maxEvictions);
    this.bucket = new long[length];
    this.link = new int[length];
  }

  static long bytes(long buckets, int maxEvictions) {
    return length(buckets, maxEvictions) * (long) (Long.BYTES + Integer.BYTES);
  }

  int maxEvictions() {
    return maxEvictions;
  }

  /** Returns how many fingerprints were moved, or -1 if there is no room within reach. */
  int makeRoom(long a, long b) {
    bucket[0] = a;
    bucket[1] = b;
    link[0] = -1;
    link[1] = -1;
    int known = 2;
    for (int at = 0; at < known; at++) {
      for (int s = 0; s < bucketSize; s++) {
        long fingerprint = packed.get(bucket[at], s);
        if (fingerprint == 0) {
          return moveInto(bucket[at], at);
        }
        if (known == bucket.length) {
          return -1;
        }
        long next = lookup.other(bucket[at], fingerprint);
        bucket[known] = next;
        link[known] = at << SLOT_SHIFT | s;
        if (packed.slotOf(next, 0) >= 0) {
          return moveInto(next, known);
        }
        known++;
      }
    }
    return -1;
  }

  /** Moves along the chain that ends in this node, the last move first. */
  private int moveInto(long room, int node) {
    int moved = 0;
    long to = room;
    for (int at = node; link[at] >= 0; at = link[at] >> SLOT_SHIFT) {
      long from = bucket[link[at] >> SLOT_SHIFT];
      if (!move(from, link[at] & SLOT_MASK, to)) {
        return moved;
      }
      moved++;
      to = from;
    }
    return moved;
  }

  private boolean move(long from, int fromSlot, long to) {
    locks.lock(from, to);
    try {
      long fingerprint = packed.get(from, fromSlot);
      int toSlot = packed.slotOf(to, 0);
      if (fingerprint == 0 || toSlot < 0 || lookup.other(from, fingerprint) != to) {
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

  private static int length(long buckets, int maxEvictions) {
    return 2 + (int) Math.min(LOOKS_PER_EVICTION * (long) maxEvictions, 16 * buckets);
  }
}
