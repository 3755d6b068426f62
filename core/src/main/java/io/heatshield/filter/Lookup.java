package io.heatshield.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where the hashes of one table belong, and whether they are there: all that a reader needs, in one
 * object.
 *
 * <p>Takes no lock. A hash that is in the table is found at every moment, also while its
 * fingerprint moves.
 */
final class Lookup {
  /*
   * pairs[2 i]       offset of the fingerprints whose leading bits are i   never changes
   * pairs[2 i + 1]   version of these fingerprints   raise: getAndAdd (full fence)   read: acquire
   * older            plain; set before the table is shown, and to the same ever after
   *
   * Moving a fingerprint from one bucket to the other is three steps of its writer: write it there, raise its version,
   * erase it here. Deleting is the last two. A reader takes the version, looks into both buckets, and believes "in
   * neither" only if the version is still the same. Suppose the fingerprint was there all the time and the reader missed
   * it in a at one moment and in b at a later one. At the first it was whole in b alone, at the second whole in a alone.
   * So in between it was written to a and erased from b, and between these two steps the version was raised: the reader
   * notices and looks again. The same holds for a slot that is half written. Versions go by the leading bits of the
   * fingerprint, which never change on the way, so one is enough. A writer that stops anywhere holds up no reader.
   *
   * Offset and version lie side by side because a lookup needs both: one array, one cache line.
   *
   * A table of one segment and narrow buckets, that is any of the usual shape and up to 16 million keys, is looked up
   * without a step to another object and without a branch between the buckets: a branch on where the key lies would be
   * guessed wrong every second time. A bucket holds the fingerprint if one of its lanes, after exclusive or, is zero:
   * (x - ones) & ~x then has the top bit of the lowest such lane set, and no top bit if there is none.
   *
   * Pinned by CuckooFilterStress.FoundWhileMoved, which fails without the check of versions, and CuckooFilterLincheckTest.
   */
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private final PackedTable packed;
  private final byte[] flat;
  private final long[] pairs;
  private final long buckets;
  private final long doubleBuckets;
  private final long ones;
  private final long tops;
  private final int flatBuckets;
  private final int bucketBits;
  private final int shift;
  private final int leadShift;
  private @Nullable Lookup older;

  Lookup(Geometry geometry, PackedTable packed) {
    this.packed = packed;
    this.flat = packed.flat();
    long[] offsets = geometry.offsets();
    this.pairs = new long[2 * offsets.length];
    for (int lead = 0; lead < offsets.length; lead++) {
      pairs[2 * lead] = offsets[lead];
    }
    this.buckets = geometry.buckets();
    this.doubleBuckets = 2 * buckets;
    this.ones = PackedTable.bottoms(geometry);
    this.tops = ones << (geometry.bits() - 1);
    this.flatBuckets = (int) buckets;
    this.bucketBits = geometry.bucketBits();
    this.shift = Integer.SIZE - geometry.bits();
    this.leadShift = geometry.bits() - geometry.pairBits();
  }

  /** Returns the bytes of offsets and versions. */
  static long bytes(Geometry geometry) {
    return (2L * Long.BYTES) << geometry.pairBits();
  }

  /** Sets where to look next for what is not here; the caller has not shown the table yet. */
  void older(Lookup next) {
    older = next;
  }

  /** Returns whether this table or an older one has the hash. */
  boolean containsInAny(long hash) {
    if (contains(hash)) {
      return true;
    }
    Lookup next = older;
    return next != null && next.containsInAny(hash);
  }

  /** Returns whether this table has the hash. */
  boolean contains(long hash) {
    byte[] bytes = flat;
    long fingerprint = fingerprint(hash);
    int pair = pair(fingerprint);
    if (bytes.length < Long.BYTES) {
      return containsInSegments(hash, fingerprint, pair);
    }
    long[] cells = pairs;
    int a = (int) bucket(hash);
    int b = (int) cells[pair] - a;
    b += flatBuckets & b >> 31;
    int bitA = a * bucketBits;
    int bitB = b * bucketBits;
    long pattern = fingerprint * ones;
    for (; ; ) {
      long version = (long) CELL.getAcquire(cells, pair + 1);
      long x = Words.get(bytes, bitA >>> 3) >>> (bitA & 7) ^ pattern;
      long y = Words.get(bytes, bitB >>> 3) >>> (bitB & 7) ^ pattern;
      if (((((x - ones) & ~x) | ((y - ones) & ~y)) & tops) != 0) {
        return true;
      }
      VarHandle.acquireFence();
      if ((long) CELL.getAcquire(cells, pair + 1) == version) {
        return false;
      }
    }
  }

  long fingerprint(long hash) {
    return Math.max(1, (hash & 0xffffffffL) >>> shift);
  }

  /** Returns the first of the hash's buckets. */
  long bucket(long hash) {
    return Math.multiplyHigh(hash >>> 1, doubleBuckets);
  }

  /** Returns the bucket that a fingerprint in this bucket may also lie in. */
  long other(long bucket, long fingerprint) {
    long other = pairs[pair(fingerprint)] - bucket;
    return other + (buckets & other >> 63);
  }

  /** Makes readers that did not find the fingerprint look again. */
  void raiseVersion(long fingerprint) {
    CELL.getAndAdd(pairs, pair(fingerprint) + 1, 1L);
  }

  private boolean containsInSegments(long hash, long fingerprint, int pair) {
    long a = bucket(hash);
    long b = other(a, fingerprint);
    for (; ; ) {
      long version = (long) CELL.getAcquire(pairs, pair + 1);
      if (packed.holds(a, b, fingerprint)) {
        return true;
      }
      VarHandle.acquireFence();
      if ((long) CELL.getAcquire(pairs, pair + 1) == version) {
        return false;
      }
    }
  }

  private int pair(long fingerprint) {
    return (int) (fingerprint >>> leadShift) << 1;
  }
}
