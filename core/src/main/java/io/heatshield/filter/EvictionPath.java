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
   * an empty slot or maxEvictions buckets were looked at. With four slots the shortest chain is rarely longer than five
   * moves, where a random walk of as many looks makes dozens. A shortest chain never visits a bucket twice, so its moves
   * do not disturb each other.
   *
   * The search reads without locks. Each move then takes the locks of its two buckets and checks that what the search
   * saw still holds; if another writer was there first, the rest is given up and the caller tries again. Only a search
   * that looked at everything it may and saw no empty slot says that there is no room.
   */
  private final CuckooTable table;
  private final PackedTable packed;
  private final Stripes stripes;
  private final int bucketSize;
  private final long[] bucket;
  private final int[] parent;
  private final byte[] slot;

  EvictionPath(
      CuckooTable table, PackedTable packed, Stripes stripes, int bucketSize, int maxEvictions) {
    this.table = table;
    this.packed = packed;
    this.stripes = stripes;
    this.bucketSize = bucketSize;
    this.bucket = new long[maxEvictions + 2];
    this.parent = new int[maxEvictions + 2];
    this.slot = new byte[maxEvictions + 2];
  }

  static long bytes(int maxEvictions) {
    return (maxEvictions + 2L) * (Long.BYTES + Integer.BYTES + Byte.BYTES);
  }

  int maxEvictions() {
    return bucket.length - 2;
  }

  /** Returns how many fingerprints were moved, or -1 if there is no room within reach. */
  int makeRoom(long a, long b) {
    bucket[0] = a;
    bucket[1] = b;
    parent[0] = -1;
    parent[1] = -1;
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
        long next = table.other(bucket[at], fingerprint);
        bucket[known] = next;
        parent[known] = at;
        slot[known] = (byte) s;
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
    for (int at = node; parent[at] >= 0; at = parent[at]) {
      long from = bucket[parent[at]];
      if (!move(from, slot[at], to)) {
        return moved;
      }
      moved++;
      to = from;
    }
    return moved;
  }

  private boolean move(long from, int fromSlot, long to) {
    stripes.lock(from, to);
    try {
      long fingerprint = packed.get(from, fromSlot);
      int toSlot = packed.slotOf(to, 0);
      if (fingerprint == 0 || toSlot < 0 || table.other(from, fingerprint) != to) {
        return false;
      }
      packed.set(to, toSlot, fingerprint);
      stripes.raiseVersion(fingerprint);
      packed.set(from, fromSlot, 0);
      return true;
    } finally {
      stripes.unlock(from, to);
    }
  }
}
