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
   *            number of pairs of a table of the usual shape that has none older, or 0
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
   * A table is near if it has one segment, narrow buckets, and pairs that are whole bytes: any of the usual shape and up
   * to 16 million keys. It is looked up without a step to another object and without a branch between the buckets: a
   * branch on where the key lies would be guessed wrong every second time. A left bucket begins with its pair's first
   * byte, and a right one always at the same bit of its pair, so nothing is shifted by a number that is not constant.
   * Offsets of a near table count bytes, up to the byte where the right bucket begins. A bucket holds the
   * fingerprint if one of its lanes, after exclusive or, is zero: (x - ones) & ~x then has the top bit of the lowest such
   * lane set, and no top bit if there is none. Lookups overlap as far as the processor's window of instructions reaches,
   * so each one that is spared also brings the next misses nearer: the usual shape (13 bits, buckets of 4) is given as
   * constants, and who has to look again is told so and takes the way for all shapes: then a caller in a loop need not
   * remember this object.
   *
   * Pinned by CuckooFilterStress.FoundWhileMoved, which fails without the check of versions, and CuckooFilterLincheckTest.
   */
  static final int ABSENT = 0;
  static final int PRESENT = 1;
  static final int UNSURE = 2;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long ONE_VERSION = 1L << Integer.SIZE;
  private static final int USUAL_BITS = 13;
  private static final int USUAL_BUCKET_BITS = 4 * USUAL_BITS;
  private static final int USUAL_LEAD_SHIFT = USUAL_BITS - Geometry.USUAL_PAIR_BITS;
  private static final long USUAL_ONES = 1L | 1L << 13 | 1L << 26 | 1L << 39;

  private final PackedTable packed;
  private final byte[] flat;
  private final long[] cells;
  private final long pairs;
  private final long ones;
  private final int bits;
  private final int bucketBits;
  private final int leadShift;
  private final int pairBytes;

  /** The bytes of a near table's pairs, or 0. */
  private final int span;

  private final boolean usual;
  private long alone;
  private @Nullable Lookup older;

  Lookup(Geometry geometry, PackedTable packed) {
    this.packed = packed;
    this.flat = packed.flat();
    this.cells = geometry.offsets();
    this.pairs = geometry.pairs();
    this.ones = PackedTable.bottoms(geometry);
    this.bits = geometry.bits();
    this.bucketBits = geometry.bucketBits();
    this.leadShift = bits - geometry.pairBits();
    this.pairBytes = pairBytes(bucketBits);
    boolean near = flat.length >= Long.BYTES;
    this.span = near ? (int) pairs * pairBytes : 0;
    this.usual =
        near
            && bits == USUAL_BITS
            && bucketBits == USUAL_BUCKET_BITS
            && leadShift == USUAL_LEAD_SHIFT;
    this.alone = usual ? pairs : 0;
    for (int i = 0; near && i < cells.length; i++) {
      cells[i] = cells[i] * pairBytes + rightByte(bucketBits);
    }
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
      found = findUsual(hash, pairs);
    } else if (span > 0) {
      found = find(hash, pairs, bits, leadShift, bucketBits, ones);
    }
    return found == UNSURE ? containsInSegments(hash) : found == PRESENT;
  }

  long fingerprint(long hash) {
    return fingerprint(hash, bits);
  }

  /** Returns the left one of the hash's buckets. */
  long bucket(long hash) {
    return 2 * Geometry.pair(hash, pairs);
  }

  /** Returns the bucket that a fingerprint in this bucket may also lie in. */
  long other(long bucket, long fingerprint) {
    return otherBy(bucket, (long) CELL.getAcquire(cells, lead(fingerprint)));
  }

  /** Makes readers that did not find the fingerprint look again. */
  void raiseVersion(long fingerprint) {
    CELL.getAndAdd(cells, lead(fingerprint), ONE_VERSION);
  }

  private int findUsual(long hash, long pairs) {
    return find(hash, pairs, USUAL_BITS, USUAL_LEAD_SHIFT, USUAL_BUCKET_BITS, USUAL_ONES);
  }

  /** Looks into a near table; with constants for the shape, most of it is done beforehand. */
  private int find(long hash, long pairs, int bits, int leadShift, int bucketBits, long ones) {
    long fingerprint = fingerprint(hash, bits);
    int lead = (int) fingerprint >>> leadShift;
    int left = Geometry.pairOfFew(hash, pairs) * pairBytes(bucketBits);
    long[] words = cells;
    long cell = (long) CELL.getAcquire(words, lead);
    int right = (int) cell - left;
    right += span & right >> 31;
    byte[] bytes = flat;
    long x = UnalignedLongs.get(bytes, left);
    long y = UnalignedLongs.get(bytes, right) >>> (bucketBits & 7);
    long pattern = fingerprint * ones;
    x ^= pattern;
    y ^= pattern;
    if (((((x - ones) & ~x) | ((y - ones) & ~y)) & ones << (bits - 1)) != 0) {
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
    int offset = span == 0 ? (int) cell : ((int) cell - rightByte(bucketBits)) / pairBytes;
    long other = offset - (bucket >>> 1);
    return 2 * (other + (pairs & other >> 63)) + (~bucket & 1);
  }

  private static int pairBytes(int bucketBits) {
    return 2 * bucketBits / Byte.SIZE;
  }

  /** Returns the byte of its pair in which a right bucket begins. */
  private static int rightByte(int bucketBits) {
    return bucketBits / Byte.SIZE;
  }

  private int lead(long fingerprint) {
    return (int) (fingerprint >>> leadShift);
  }

  private static long fingerprint(long hash, int bits) {
    return Math.max(1, (hash & 0xffffffffL) >>> (Integer.SIZE - bits));
  }
}
