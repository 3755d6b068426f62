package io.heatshield.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The lock-free read path of one table: computes the two buckets of a hash, and searches them for
 * its fingerprint. All fields that a lookup reads are in this object.
 *
 * <p>A hash that is in the table is found at every moment, also while its fingerprint is moved.
 */
final class Lookup {
  /*
   * cells[i]      version << 32 | offset, for the fingerprints with the prefix i. The offset is
   *               constant. The version is raised by getAndAdd (a full fence) and read by
   *               getAcquire
   * older,        plain; set before the table is published and constant from then on
   * singlePairs
   *
   * A writer moves a fingerprint from one bucket to the other in three steps: it writes the copy,
   * raises the version, and erases the original. A deletion is the last two steps. A reader reads
   * the version, searches both buckets, and accepts "not found" only if the version is unchanged.
   * Suppose a fingerprint was present all the time, and the reader missed it in bucket a and later
   * in bucket b. When the reader read a, the fingerprint was complete only in b; when it read b,
   * the fingerprint was complete only in a. So in between a writer wrote it to a, raised the
   * version and erased it from b. The reader sees the new version and searches again. The same
   * holds for a slot that is partly written. A version belongs to a prefix, which is the same in
   * both buckets, so one version per fingerprint is enough. A writer that is suspended at any step
   * does not block readers.
   *
   * Offset and version share a word because each lookup needs both. A reader would miss a change
   * only if it were suspended within one lookup for exactly a multiple of 2^32 changes of the
   * fingerprints with its prefix, which are about 2^40 changes of the table.
   *
   * A table is flat if it has one segment, each bucket fits into a word, and each pair of buckets
   * fills whole bytes. This holds for the default shape up to 16 million keys. A lookup in a flat
   * table reads no other object, and has no branch between the buckets: in which bucket a key is
   * stored is random, so such a branch would be mispredicted every second time. A left bucket
   * begins at the first byte of its pair and a right one at a constant bit of its pair, so all
   * shift distances are constants. In a flat table the offsets count bytes, including those up to
   * the right bucket. A bucket contains the fingerprint if one of its lanes is zero after the
   * exclusive or: (x - ones) & ~x has the top bit of the lowest such lane set, and no top bit if
   * there is none.
   *
   * The processor overlaps the cache misses of consecutive lookups only as far as its instruction
   * window reaches, so each instruction saved lets it start more of them. Therefore the default
   * shapes use constants: 4 slots of 13 bits, or of 14 bits in a filter that may grow. A lookup
   * that must be repeated returns UNKNOWN to its caller, which uses the code for all shapes; so a
   * loop of lookups need not keep this object. With 14 bits, constants take half the time of the
   * code for all shapes.
   *
   * Pinned by CuckooFilterStress.FoundWhileMoved, which fails without the check of the version, and
   * by CuckooFilterLincheckTest.
   */
  static final int ABSENT = 0;
  static final int PRESENT = 1;

  /** The result of a search that must be repeated by {@link #containsInChain}. */
  static final int UNKNOWN = 2;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long ONE_VERSION = 1L << Integer.SIZE;
  private static final int DEFAULT_BITS = 13;
  private static final int DEFAULT_BUCKET_BITS = 4 * DEFAULT_BITS;
  private static final int DEFAULT_PREFIX_SHIFT = DEFAULT_BITS - Geometry.DEFAULT_PAIR_BITS;
  private static final long DEFAULT_ONES = 1L | 1L << 13 | 1L << 26 | 1L << 39;
  private static final int CHAIN_BITS = 14;
  private static final int CHAIN_BUCKET_BITS = 4 * CHAIN_BITS;
  private static final int CHAIN_PREFIX_SHIFT = CHAIN_BITS - Geometry.DEFAULT_PAIR_BITS;
  private static final long CHAIN_ONES = 1L | 1L << 14 | 1L << 28 | 1L << 42;

  private final PackedTable packed;
  private final byte[] flat;
  private final long[] cells;
  private final long pairs;
  private final long ones;
  private final int bits;
  private final int bucketBits;
  private final int prefixShift;
  private final int pairBytes;

  /** The bytes of all pairs of a flat table, or 0 if the table is not flat. */
  private final int flatBytes;

  private final boolean defaultShape;

  /**
   * The number of pairs if the table has no older table and is of the default shape of 13 bits,
   * minus this number if it is of that of 14 bits, or 0.
   */
  private long singlePairs;

  private @Nullable Lookup older;

  Lookup(Geometry geometry, PackedTable packed) {
    this.packed = packed;
    this.flat = packed.flat();
    this.cells = geometry.offsets();
    this.pairs = geometry.pairs();
    this.ones = PackedTable.laneOnes(geometry);
    this.bits = geometry.bits();
    this.bucketBits = geometry.bucketBits();
    this.prefixShift = bits - geometry.pairBits();
    this.pairBytes = pairBytes(bucketBits);
    boolean isFlat = flat.length >= Long.BYTES;
    this.flatBytes = isFlat ? (int) pairs * pairBytes : 0;
    this.defaultShape =
        isFlat
            && bits == DEFAULT_BITS
            && bucketBits == DEFAULT_BUCKET_BITS
            && prefixShift == DEFAULT_PREFIX_SHIFT;
    boolean chainShape =
        isFlat
            && bits == CHAIN_BITS
            && bucketBits == CHAIN_BUCKET_BITS
            && prefixShift == CHAIN_PREFIX_SHIFT;
    this.singlePairs = defaultShape ? pairs : chainShape ? -pairs : 0;
    for (int i = 0; isFlat && i < cells.length; i++) {
      cells[i] = cells[i] * pairBytes + rightByte(bucketBits);
    }
  }

  /** Returns the memory of offsets and versions. */
  static long bytes(Geometry geometry) {
    return (long) Long.BYTES << geometry.pairBits();
  }

  /** Sets the table to search after this one; to be called before the tables are published. */
  void setOlder(Lookup next) {
    older = next;
    singlePairs = 0;
  }

  /**
   * Searches the only table of a filter, if it is of a default shape. Returns {@link #UNKNOWN} if
   * there are other tables, the shape is another one, or a writer interfered.
   */
  int findInSingleTable(long hash) {
    long pairs = singlePairs;
    if (pairs > 0) {
      return findInDefaultShape(hash, pairs);
    }
    return pairs == 0
        ? UNKNOWN
        : findInFlatTable(
            hash, -pairs, CHAIN_BITS, CHAIN_PREFIX_SHIFT, CHAIN_BUCKET_BITS, CHAIN_ONES);
  }

  /** Returns whether this table or an older one contains the hash. */
  boolean containsInChain(long hash) {
    Lookup next = older;
    return contains(hash) || (next != null && next.containsInChain(hash));
  }

  /** Returns whether this table contains the hash. */
  boolean contains(long hash) {
    int found = UNKNOWN;
    if (defaultShape) {
      found = findInDefaultShape(hash, pairs);
    } else if (flatBytes > 0) {
      found = findInFlatTable(hash, pairs, bits, prefixShift, bucketBits, ones);
    }
    return found == UNKNOWN ? containsWithRetry(hash) : found == PRESENT;
  }

  long fingerprint(long hash) {
    return fingerprint(hash, bits);
  }

  /** Returns the left bucket of a hash. */
  long leftBucket(long hash) {
    return 2 * Geometry.pair(hash, pairs);
  }

  /** Returns the other bucket of a fingerprint that may be stored in the given bucket. */
  long otherBucket(long bucket, long fingerprint) {
    return otherBucketOf(bucket, (long) CELL.getAcquire(cells, prefix(fingerprint)));
  }

  /** Makes concurrent readers that did not find the fingerprint search again. */
  void raiseVersion(long fingerprint) {
    CELL.getAndAdd(cells, prefix(fingerprint), ONE_VERSION);
  }

  private int findInDefaultShape(long hash, long pairs) {
    return findInFlatTable(
        hash, pairs, DEFAULT_BITS, DEFAULT_PREFIX_SHIFT, DEFAULT_BUCKET_BITS, DEFAULT_ONES);
  }

  /** Searches a flat table; if the shape is constant, the compiler computes most of the terms. */
  private int findInFlatTable(
      long hash, long pairs, int bits, int prefixShift, int bucketBits, long ones) {
    long fingerprint = fingerprint(hash, bits);
    int prefix = (int) fingerprint >>> prefixShift;
    int left = Geometry.pairOfSmallTable(hash, pairs) * pairBytes(bucketBits);
    long[] cells = this.cells;
    long cell = (long) CELL.getAcquire(cells, prefix);
    int right = (int) cell - left;
    right += flatBytes & right >> 31;
    byte[] bytes = flat;
    long pattern = fingerprint * ones;
    long x = UnalignedLongs.get(bytes, left) ^ pattern;
    long y = UnalignedLongs.get(bytes, right) >>> (bucketBits & 7) ^ pattern;
    if (((((x - ones) & ~x) | ((y - ones) & ~y)) & ones << (bits - 1)) != 0) {
      return PRESENT;
    }
    VarHandle.acquireFence();
    return (long) CELL.getAcquire(cells, prefix) == cell ? ABSENT : UNKNOWN;
  }

  /** Searches a table of any shape, again while fingerprints with this prefix are moved. */
  private boolean containsWithRetry(long hash) {
    long fingerprint = fingerprint(hash);
    int prefix = prefix(fingerprint);
    long left = leftBucket(hash);
    for (; ; ) {
      long cell = (long) CELL.getAcquire(cells, prefix);
      if (packed.contains(left, otherBucketOf(left, cell), fingerprint)) {
        return true;
      }
      VarHandle.acquireFence();
      if ((long) CELL.getAcquire(cells, prefix) == cell) {
        return false;
      }
    }
  }

  private long otherBucketOf(long bucket, long cell) {
    int offset = flatBytes == 0 ? (int) cell : ((int) cell - rightByte(bucketBits)) / pairBytes;
    long other = offset - (bucket >>> 1);
    return 2 * (other + (pairs & other >> 63)) + (~bucket & 1);
  }

  private static int pairBytes(int bucketBits) {
    return 2 * bucketBits / Byte.SIZE;
  }

  /** Returns the byte at which the right bucket begins, from the start of its pair. */
  private static int rightByte(int bucketBits) {
    return bucketBits / Byte.SIZE;
  }

  private int prefix(long fingerprint) {
    return (int) (fingerprint >>> prefixShift);
  }

  private static long fingerprint(long hash, int bits) {
    return Math.max(1, (hash & 0xffffffffL) >>> (Integer.SIZE - bits));
  }
}
