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
   * cells[i]   for the fingerprints whose leading bits are i: version << 32 | offset
   *            the offset never changes   raise: getAndAdd (full fence)   read: acquire
   * older      plain; set before the table is shown, and to the same ever after; so is alone, which spares a look at it: the
   *            number of buckets of a table of the usual shape that has none older, or 0
   *
   * Moving a fingerprint from one bucket to the other is three steps of its writer: write it there, raise its version,
   * erase it here. Deleting is the last two. A reader takes the version, looks into both buckets, and believes "in
   * neither" only if the version is still the same. Suppose the fingerprint was there all the time and the reader missed
   * it in a at one moment and in b at a later one. At the first it was whole in b alone, at the second whole in a alone.
   * So in between it was written to a and erased from b, and between these two steps the version was raised: the reader
   * notices and looks again. The same holds for a slot that is half written. Versions go by the leading bits of the
   * fingerprint, which never change on the way, so one is enough. A writer that stops anywhere holds up no reader.
   *
   * Offset and version share a word because a lookup needs both. To be taken in by a version that has come round, a
   * reader would have to sleep, within one lookup, through exactly 2^32 changes of fingerprints like its own: 2^40
   * changes of the table.
   *
   * A table of one segment and narrow buckets, that is any of the usual shape and up to 16 million keys, is looked up
   * without a step to another object and without a branch between the buckets: a branch on where the key lies would be
   * guessed wrong every second time. A bucket holds the fingerprint if one of its lanes, after exclusive or, is zero:
   * (x - ones) & ~x then has the top bit of the lowest such lane set, and no top bit if there is none. What is left are
   * instructions, not misses, so the usual shape (13 bits, buckets of 4) is given as constants, and who has to look again
   * is told so and takes the way for all shapes: then a caller in a loop need not remember this object.
   *
   * Pinned by CuckooFilterStress.FoundWhileMoved, which fails without the check of versions, and CuckooFilterLincheckTest.
   */
  static final int ABSENT = 0;
  static final int PRESENT = 1;
  static final int UNSURE = 2;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long ONE_VERSION = 1L << Integer.SIZE;
  private static final int USUAL_BITS = 13;
  private static final int USUAL_BUCKET_BITS = 52;
  private static final int USUAL_SHIFT = Integer.SIZE - USUAL_BITS;
  private static final int USUAL_LEAD_SHIFT = USUAL_BITS - Geometry.USUAL_PAIR_BITS;
  private static final long USUAL_ONES = 1L | 1L << 13 | 1L << 26 | 1L << 39;

  private final PackedTable packed;
  private final byte[] flat;
  private final long[] cells;
  private final long buckets;
  private final long ones;
  private final int bits;
  private final int bucketBits;
  private final int shift;
  private final int leadShift;
  private final boolean usual;
  private long alone;
  private @Nullable Lookup older;

  Lookup(Geometry geometry, PackedTable packed) {
    this.packed = packed;
    this.flat = packed.flat();
    this.cells = geometry.offsets();
    this.buckets = geometry.buckets();
    this.ones = PackedTable.bottoms(geometry);
    this.bits = geometry.bits();
    this.bucketBits = geometry.bucketBits();
    this.shift = Integer.SIZE - bits;
    this.leadShift = bits - geometry.pairBits();
    this.usual =
        flat.length >= Long.BYTES
            && bits == USUAL_BITS
            && bucketBits == USUAL_BUCKET_BITS
            && leadShift == USUAL_LEAD_SHIFT;
    this.alone = usual ? buckets : 0;
  }

  /** Returns the bytes of offsets and versions. */
  static long bytes(Geometry geometry) {
    return (long) Long.BYTES << geometry.pairBits();
  }

  /** Sets where to look next for what is not here; the caller has not shown the table yet. */
  void older(Lookup next) {
    older = next;
    alone = 0;
  }

  /**
   * Returns {@link #PRESENT} or {@link #ABSENT} if one look at a table that is alone can tell, else
   * {@link #UNSURE}.
   */
  int find(long hash) {
    long only = alone;
    return only == 0 ? UNSURE : findUsual(hash, only);
  }

  /** Returns whether this table or an older one has the hash. */
  boolean containsInAny(long hash) {
    Lookup next = older;
    return contains(hash) || (next != null && next.containsInAny(hash));
  }

  /** Returns whether this table has the hash. */
  boolean contains(long hash) {
    int found = UNSURE;
    if (usual) {
      found = findUsual(hash, buckets);
    } else if (flat.length >= Long.BYTES) {
      found = find(hash, buckets, shift, leadShift, bucketBits, ones, ones << (bits - 1));
    }
    return found == UNSURE ? containsInSegments(hash) : found == PRESENT;
  }

  long fingerprint(long hash) {
    return fingerprint(hash, shift);
  }

  /** Returns the first of the hash's buckets. */
  long bucket(long hash) {
    return Geometry.bucket(hash, buckets);
  }

  /** Returns the bucket that a fingerprint in this bucket may also lie in. */
  long other(long bucket, long fingerprint) {
    return otherBy(bucket, (long) CELL.getAcquire(cells, lead(fingerprint)));
  }

  /** Makes readers that did not find the fingerprint look again. */
  void raiseVersion(long fingerprint) {
    CELL.getAndAdd(cells, lead(fingerprint), ONE_VERSION);
  }

  private int findUsual(long hash, long buckets) {
    return find(
        hash,
        buckets,
        USUAL_SHIFT,
        USUAL_LEAD_SHIFT,
        USUAL_BUCKET_BITS,
        USUAL_ONES,
        USUAL_ONES << 12);
  }

  /**
   * Looks into the only segment; with constants for the shape, most of it is done beforehand.
   *
   * <p>Reads the first bucket before it works out the second: fewer numbers are alive at a time,
   * and more of them stay in registers.
   */
  private int find(
      long hash, long buckets, int shift, int leadShift, int bucketBits, long ones, long tops) {
    int a = Geometry.bucketOfFew(hash, buckets);
    long[] words = cells;
    long fingerprint = fingerprint(hash, shift);
    int lead = (int) fingerprint >>> leadShift;
    long cell = (long) CELL.getAcquire(words, lead);
    byte[] bytes = flat;
    int bitA = a * bucketBits;
    long x = Words.get(bytes, bitA >>> 3) >>> (bitA & 7);
    int b = (int) cell - a;
    int bitB = (b + (b < 0 ? (int) buckets : 0)) * bucketBits;
    long y = Words.get(bytes, bitB >>> 3) >>> (bitB & 7);
    long pattern = fingerprint * ones;
    x ^= pattern;
    y ^= pattern;
    if (((((x - ones) & ~x) | ((y - ones) & ~y)) & tops) != 0) {
      return PRESENT;
    }
    VarHandle.acquireFence();
    return (long) CELL.getAcquire(words, lead) == cell ? ABSENT : UNSURE;
  }

  /** Looks into a table of any shape, and again as long as fingerprints like this one move. */
  private boolean containsInSegments(long hash) {
    long fingerprint = fingerprint(hash);
    int lead = lead(fingerprint);
    long a = bucket(hash);
    for (; ; ) {
      long cell = (long) CELL.getAcquire(cells, lead);
      if (packed.holds(a, otherBy(a, cell), fingerprint)) {
        return true;
      }
      VarHandle.acquireFence();
      if ((long) CELL.getAcquire(cells, lead) == cell) {
        return false;
      }
    }
  }

  private long otherBy(long bucket, long cell) {
    long other = (int) cell - bucket;
    return other + (buckets & other >> 63);
  }

  private int lead(long fingerprint) {
    return (int) (fingerprint >>> leadShift);
  }

  private static long fingerprint(long hash, int shift) {
    return Math.max(1, (hash & 0xffffffffL) >>> shift);
  }
}
