package io.heatshield.filter;

import java.util.Arrays;

/**
 * Buckets of fingerprints, packed at their true width into words, with nothing between them.
 *
 * <p>Knows places, not keys: a slot holds a fingerprint or 0. Any thread may read at any time; a
 * write needs the lock of its bucket's region.
 */
final class PackedTable {
  /*
   *   word      0                  1                  2
   *   bits      |----------------- |------------------|---
   *   buckets   [ 0          ][ 1          ][ 2           ][ 3 ...      52 bits each for 4 slots of 13
   *
   * segments[s]   bytes, read and written as little-endian longs
   *               read: plain, eight bytes from any byte on   write: plain, whole words, under the lock of the region
   *
   * A segment holds 2^22 buckets and a region 64, so both are whole words: no bucket crosses a segment, and no word
   * belongs to two regions. A segment has one word more than its buckets fill, so that eight bytes can be read from
   * every one of them. A write changes the bits of one slot and leaves its neighbours' as they are, so a reader may see
   * a slot that is half written, but never a neighbour disturbed: whatever bytes of a word it sees new, the neighbours'
   * bits in them are the same. Order is not made here: the reader of CuckooTable puts its reads between an acquiring
   * read of a version and a fence, and writers raise a version, which is a full fence, before they erase. Pinned by
   * CuckooFilterStress.FoundWhileMoved and .NeighbouringWrites.
   *
   * A bucket whose bits, from the first byte they touch, end within eight bytes wherever it lies is read at once, and
   * all its slots are compared at once: a lane of x is zero if neither its top bit is set nor a carry out of its lower
   * bits reaches it. No carry leaves a lane, so the answer is exact; bits above the bucket are where no lane looks.
   * Other buckets (of more than 64 bits, or of 59, 61, 62 or 63) are compared slot by slot.
   */
  static final int SEGMENT_SHIFT = 22;
  static final int SEGMENT_BUCKETS = 1 << SEGMENT_SHIFT;
  private static final int SEGMENT_MASK = SEGMENT_BUCKETS - 1;

  /** Bytes after those of a segment's buckets. */
  static final int SPARE = Long.BYTES;

  /** A region is 2^6 buckets. */
  static final int REGION_SHIFT = 6;

  private final byte[][] segments;

  private final int bits;
  private final int bucketSize;
  private final int bucketBits;
  private final boolean narrow;
  private final long slotMask;

  /** One at the bottom of each lane, at its top, and below its top. */
  private final long ones;

  private final long tops;
  private final long rests;

  PackedTable(Geometry geometry) {
    this(geometry, allocate(geometry));
  }

  PackedTable(Geometry geometry, byte[][] segments) {
    this.segments = segments;
    this.bits = geometry.bits();
    this.bucketSize = geometry.bucketSize();
    this.bucketBits = geometry.bucketBits();
    this.narrow =
        bucketBits + Byte.SIZE - Integer.lowestOneBit(bucketBits | Byte.SIZE) <= Long.SIZE;
    this.slotMask = (1L << bits) - 1;
    this.ones = bottoms(geometry);
    this.tops = ones << (bits - 1);
    this.rests = tops - ones;
  }

  /** Returns how many bytes the buckets of each segment fill, which are whole words. */
  static int[] segmentBytes(Geometry geometry) {
    int count = Math.toIntExact((geometry.buckets() + SEGMENT_MASK) >>> SEGMENT_SHIFT);
    int[] bytes = new int[count];
    for (int s = 0; s < count; s++) {
      long buckets =
          Math.min(1L << SEGMENT_SHIFT, geometry.buckets() - ((long) s << SEGMENT_SHIFT));
      long bits = buckets * geometry.bucketBits();
      bytes[s] = (int) ((bits + Long.SIZE - 1) / Long.SIZE) * Long.BYTES;
    }
    return bytes;
  }

  /** Returns the bytes of all segments. */
  static long bytes(Geometry geometry) {
    long segments = (geometry.buckets() + SEGMENT_MASK) >>> SEGMENT_SHIFT;
    return Sizing.packedBytes(geometry.buckets(), geometry.bucketSize(), geometry.bits())
        + segments * SPARE;
  }

  /** Returns a one at the bottom of each lane that fits into a word. */
  static long bottoms(Geometry geometry) {
    long bottoms = 0;
    for (int bit = 0; bit < Math.min(Long.SIZE, geometry.bucketBits()); bit += geometry.bits()) {
      bottoms |= 1L << bit;
    }
    return bottoms;
  }

  /**
   * Returns the only segment, if there is but one, its buckets are narrow, and a pair of them is
   * whole bytes; else nothing.
   */
  byte[] flat() {
    boolean wholeBytes = (bucketBits & 3) == 0;
    return narrow && wholeBytes && segments.length == 1 ? segments[0] : new byte[0];
  }

  /** Returns whether one of the two buckets holds the fingerprint. */
  boolean holds(long a, long b, long fingerprint) {
    if (narrow) {
      long pattern = fingerprint * ones;
      return (lanes(bucket(a) ^ pattern) | lanes(bucket(b) ^ pattern)) != 0;
    }
    return slotOf(a, fingerprint) >= 0 || slotOf(b, fingerprint) >= 0;
  }

  /** Returns how many slots of the bucket hold the fingerprint, or are empty if it is 0. */
  int count(long bucket, long fingerprint) {
    if (narrow) {
      return Long.bitCount(lanes(bucket(bucket) ^ fingerprint * ones));
    }
    int count = 0;
    for (int slot = 0; slot < bucketSize; slot++) {
      count += get(bucket, slot) == fingerprint ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns the first slot of the bucket that holds the fingerprint, or is empty if it is 0; else
   * -1.
   */
  int slotOf(long bucket, long fingerprint) {
    if (narrow) {
      long lanes = lanes(bucket(bucket) ^ fingerprint * ones);
      return lanes == 0 ? -1 : Long.numberOfTrailingZeros(lanes) / bits;
    }
    for (int slot = 0; slot < bucketSize; slot++) {
      if (get(bucket, slot) == fingerprint) {
        return slot;
      }
    }
    return -1;
  }

  /** Returns the fingerprint in the slot, or 0. */
  long get(long bucket, int slot) {
    return bits(segment(bucket), bit(bucket, slot)) & slotMask;
  }

  /** Writes the slot; the caller holds the lock of the bucket's region. */
  void set(long bucket, int slot, long fingerprint) {
    byte[] segment = segment(bucket);
    int bit = bit(bucket, slot);
    int word = bit >>> 6 << 3;
    long kept = UnalignedLongs.get(segment, word) & ~(slotMask << bit);
    UnalignedLongs.set(segment, word, kept | fingerprint << bit);
    int done = Long.SIZE - (bit & 63);
    if (done < bits) {
      kept = UnalignedLongs.get(segment, word + Long.BYTES) & ~(slotMask >>> done);
      UnalignedLongs.set(segment, word + Long.BYTES, kept | fingerprint >>> done);
    }
  }

  /** Empties all slots; the caller holds all locks. */
  void clear() {
    for (byte[] segment : segments) {
      Arrays.fill(segment, (byte) 0);
    }
  }

  /** Returns the bytes themselves, each with a spare word, for who holds all locks or made them. */
  byte[][] segments() {
    return segments;
  }

  /** Returns a copy; the caller holds all locks. */
  PackedTable copy(Geometry geometry) {
    byte[][] copy = new byte[segments.length][];
    for (int s = 0; s < copy.length; s++) {
      copy[s] = segments[s].clone();
    }
    return new PackedTable(geometry, copy);
  }

  /** Returns the bits of a narrow bucket, with others above them. */
  private long bucket(long bucket) {
    return bits(segment(bucket), bit(bucket, 0));
  }

  /** Returns the bits from this one on, 57 at least. */
  private static long bits(byte[] segment, int bit) {
    return UnalignedLongs.get(segment, bit >>> 3) >>> (bit & 7);
  }

  private byte[] segment(long bucket) {
    return segments[(int) (bucket >>> SEGMENT_SHIFT)];
  }

  /** Returns the top bit of each lane that is all zero. */
  private long lanes(long x) {
    return ~((x & rests) + rests | x) & tops;
  }

  private int bit(long bucket, int slot) {
    return ((int) bucket & SEGMENT_MASK) * bucketBits + slot * bits;
  }

  private static byte[][] allocate(Geometry geometry) {
    int[] bytes = segmentBytes(geometry);
    byte[][] segments = new byte[bytes.length][];
    for (int s = 0; s < bytes.length; s++) {
      segments[s] = new byte[bytes[s] + SPARE];
    }
    return segments;
  }
}
