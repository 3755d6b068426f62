package io.heatshield.filter;

import java.util.Arrays;

/**
 * An array of buckets, whose fingerprints are packed without unused bits between them.
 *
 * <p>A slot contains a fingerprint, or 0 if it is empty. Any thread may read at any time; a writer
 * must hold the lock of the bucket's region.
 */
final class PackedTable {
  /*
   *   words     |----------------- |------------------|---
   *   buckets   [ 0          ][ 1          ][ 2           ][ 3 ...      52 bits for 4 slots of 13
   *
   * segments[s]   bytes, accessed as little-endian longs. Read plain, eight bytes from any byte on.
   *               Written plain, in whole words, under the lock of the region
   *
   * A segment has 2^22 buckets and a region 64, so both consist of whole words: no bucket extends
   * over two segments, and no word over two regions. One word of padding follows the buckets of a
   * segment, so that eight bytes can be read from any byte of a bucket. A write changes the bits of
   * one slot. So a reader may see a slot that is partly written, but its neighbours are always
   * correct: their bits are the same in the old and the new word.
   *
   * This class does not order reads and writes. Lookup reads between an acquiring read of a version
   * and a fence, and writers raise the version, which is a full fence, before they erase. Pinned by
   * CuckooFilterStress.FoundWhileMoved and .NeighbourOfAWrite.
   *
   * A bucket that ends within eight bytes of its first byte, wherever it begins, is read at once,
   * and all its slots (lanes) are compared at once: a lane is zero if its top bit is not set, and
   * adding the largest value below the top bit to its other bits does not carry into it. A carry
   * never leaves its lane, so the result is exact; bits above the bucket belong to no lane. Other
   * buckets (of more than 64 bits, or of 59, 61, 62 or 63) are compared slot by slot.
   */
  static final int SEGMENT_SHIFT = 22;
  static final int SEGMENT_BUCKETS = 1 << SEGMENT_SHIFT;
  private static final int SEGMENT_MASK = SEGMENT_BUCKETS - 1;

  /** The unused bytes at the end of a segment. */
  static final int PADDING = Long.BYTES;

  /** A region is 2^6 buckets. */
  static final int REGION_SHIFT = 6;

  private final byte[][] segments;

  private final int bits;
  private final int bucketSize;
  private final int bucketBits;

  /** True if one read of eight bytes covers a bucket, wherever it begins. */
  private final boolean fitsWord;

  private final long slotMask;

  /** The lowest bit of each lane. */
  private final long ones;

  /** The top bit of each lane. */
  private final long tops;

  /** All bits of each lane below its top bit. */
  private final long rests;

  PackedTable(Geometry geometry) {
    this(geometry, allocate(geometry));
  }

  PackedTable(Geometry geometry, byte[][] segments) {
    this.segments = segments;
    this.bits = geometry.bits();
    this.bucketSize = geometry.bucketSize();
    this.bucketBits = geometry.bucketBits();
    this.fitsWord =
        bucketBits + Byte.SIZE - Integer.lowestOneBit(bucketBits | Byte.SIZE) <= Long.SIZE;
    this.slotMask = (1L << bits) - 1;
    this.ones = laneOnes(geometry);
    this.tops = ones << (bits - 1);
    this.rests = tops - ones;
  }

  /** Returns the bytes of each segment, rounded up to words and without padding. */
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

  /** Returns the memory of all segments. */
  static long bytes(Geometry geometry) {
    long segments = (geometry.buckets() + SEGMENT_MASK) >>> SEGMENT_SHIFT;
    return geometry.packedBytes() + segments * PADDING;
  }

  /** Returns a word with the lowest bit of each lane set. */
  static long laneOnes(Geometry geometry) {
    long ones = 0;
    for (int bit = 0; bit < Math.min(Long.SIZE, geometry.bucketBits()); bit += geometry.bits()) {
      ones |= 1L << bit;
    }
    return ones;
  }

  /**
   * Returns the bytes of a flat table: one segment, each bucket fits into a word, and each pair
   * fills whole bytes. Returns an empty array for other tables.
   */
  byte[] flat() {
    boolean wholeBytes = (bucketBits & 3) == 0;
    return fitsWord && wholeBytes && segments.length == 1 ? segments[0] : new byte[0];
  }

  /** Returns whether one of the two buckets contains the fingerprint. */
  boolean contains(long a, long b, long fingerprint) {
    if (fitsWord) {
      long pattern = fingerprint * ones;
      return (zeroLanes(bucket(a) ^ pattern) | zeroLanes(bucket(b) ^ pattern)) != 0;
    }
    return slotOf(a, fingerprint) >= 0 || slotOf(b, fingerprint) >= 0;
  }

  /** Returns the number of slots with the fingerprint, or of empty slots if it is 0. */
  int count(long bucket, long fingerprint) {
    if (fitsWord) {
      return Long.bitCount(zeroLanes(bucket(bucket) ^ fingerprint * ones));
    }
    int count = 0;
    for (int slot = 0; slot < bucketSize; slot++) {
      count += get(bucket, slot) == fingerprint ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns the first slot with the fingerprint, or the first empty slot if it is 0; -1 if there is
   * none.
   */
  int slotOf(long bucket, long fingerprint) {
    if (fitsWord) {
      long lanes = zeroLanes(bucket(bucket) ^ fingerprint * ones);
      return lanes == 0 ? -1 : Long.numberOfTrailingZeros(lanes) / bits;
    }
    for (int slot = 0; slot < bucketSize; slot++) {
      if (get(bucket, slot) == fingerprint) {
        return slot;
      }
    }
    return -1;
  }

  /** Returns the fingerprint in the slot, or 0 if it is empty. */
  long get(long bucket, int slot) {
    return bits(segment(bucket), bit(bucket, slot)) & slotMask;
  }

  /** Writes the slot; the caller must hold the lock of the bucket's region. */
  void set(long bucket, int slot, long fingerprint) {
    byte[] segment = segment(bucket);
    int bit = bit(bucket, slot);
    int word = bit >>> 6 << 3;
    long others = UnalignedLongs.get(segment, word) & ~(slotMask << bit);
    UnalignedLongs.set(segment, word, others | fingerprint << bit);
    int written = Long.SIZE - (bit & 63);
    if (written < bits) {
      others = UnalignedLongs.get(segment, word + Long.BYTES) & ~(slotMask >>> written);
      UnalignedLongs.set(segment, word + Long.BYTES, others | fingerprint >>> written);
    }
  }

  /** Empties all slots; the caller must hold all locks. */
  void clear() {
    for (byte[] segment : segments) {
      Arrays.fill(segment, (byte) 0);
    }
  }

  /**
   * Returns the segments with their padding, not copied; the caller must hold all locks or own the
   * table.
   */
  byte[][] segments() {
    return segments;
  }

  /** Returns a copy; the caller must hold all locks. */
  PackedTable copy(Geometry geometry) {
    byte[][] copy = new byte[segments.length][];
    for (int s = 0; s < copy.length; s++) {
      copy[s] = segments[s].clone();
    }
    return new PackedTable(geometry, copy);
  }

  /** Returns the bits of a bucket that fits into a word; higher bits are undefined. */
  private long bucket(long bucket) {
    return bits(segment(bucket), bit(bucket, 0));
  }

  /** Returns at least 57 bits, from the given one on. */
  private static long bits(byte[] segment, int bit) {
    return UnalignedLongs.get(segment, bit >>> 3) >>> (bit & 7);
  }

  private byte[] segment(long bucket) {
    return segments[(int) (bucket >>> SEGMENT_SHIFT)];
  }

  /** Returns the top bits of the lanes that are zero. */
  private long zeroLanes(long x) {
    return ~((x & rests) + rests | x) & tops;
  }

  private int bit(long bucket, int slot) {
    return ((int) bucket & SEGMENT_MASK) * bucketBits + slot * bits;
  }

  private static byte[][] allocate(Geometry geometry) {
    int[] bytes = segmentBytes(geometry);
    byte[][] segments = new byte[bytes.length][];
    for (int s = 0; s < bytes.length; s++) {
      segments[s] = new byte[bytes[s] + PADDING];
    }
    return segments;
  }
}
