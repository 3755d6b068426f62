package io.heatshield.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
   * segments[s][w]   read: plain   write: release, under the lock of the region
   *
   * A segment holds 2^22 buckets and a region 64, so both are whole words: no bucket crosses a segment, and no word
   * belongs to two regions. A write changes the bits of one slot and leaves its neighbours' as they are, so a reader may
   * see a slot that is half written, but never a neighbour disturbed. Reads are plain, because the reader of CuckooTable
   * puts them between an acquiring read of a version and a fence; writes are release, so that who sees a fingerprint
   * gone also sees the version that was raised before. Pinned by CuckooFilterStress.FoundWhileMoved and
   * .NeighbourOfAWrite.
   *
   * A bucket of up to 64 bits lies in one or two words. The second is that of its last bit: the same word again when the
   * bucket does not cross into the next, so that no other cache line is touched, and the bits that it then adds lie
   * above the bucket where no lane looks. All slots are compared at once: a lane of x is zero if neither its top bit is
   * set nor a carry out of its lower bits reaches it. No carry leaves a lane, so the answer is exact.
   */
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  static final int SEGMENT_SHIFT = 22;
  private static final int SEGMENT_MASK = (1 << SEGMENT_SHIFT) - 1;

  /** A region is 2^6 buckets. */
  static final int REGION_SHIFT = 6;

  private final long[][] segments;
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

  PackedTable(Geometry geometry, long[][] segments) {
    this.segments = segments;
    this.bits = geometry.bits();
    this.bucketSize = geometry.bucketSize();
    this.bucketBits = geometry.bucketBits();
    this.narrow = bucketBits <= Long.SIZE;
    this.slotMask = (1L << bits) - 1;
    long bottoms = 0;
    for (int slot = 0; narrow && slot < bucketSize; slot++) {
      bottoms |= 1L << (slot * bits);
    }
    this.ones = bottoms;
    this.tops = bottoms << (bits - 1);
    this.rests = tops - bottoms;
  }

  /** Returns how many words each segment of such a table has. */
  static int[] segmentWords(Geometry geometry) {
    int count = Math.toIntExact((geometry.buckets() + SEGMENT_MASK) >>> SEGMENT_SHIFT);
    int[] words = new int[count];
    for (int s = 0; s < count; s++) {
      long buckets =
          Math.min(1L << SEGMENT_SHIFT, geometry.buckets() - ((long) s << SEGMENT_SHIFT));
      words[s] = (int) ((buckets * geometry.bucketBits() + Long.SIZE - 1) / Long.SIZE);
    }
    return words;
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
    return read(segments[(int) (bucket >>> SEGMENT_SHIFT)], bit(bucket, slot), bits) & slotMask;
  }

  /** Writes the slot; the caller holds the lock of the bucket's region. */
  void set(long bucket, int slot, long fingerprint) {
    long[] words = segments[(int) (bucket >>> SEGMENT_SHIFT)];
    int bit = bit(bucket, slot);
    int word = bit >>> 6;
    int shift = bit & 63;
    long kept = words[word] & ~(slotMask << shift);
    WORD.setRelease(words, word, kept | fingerprint << shift);
    if (shift + bits > Long.SIZE) {
      int done = Long.SIZE - shift;
      kept = words[word + 1] & ~(slotMask >>> done);
      WORD.setRelease(words, word + 1, kept | fingerprint >>> done);
    }
  }

  /** Empties all slots; the caller holds all locks. */
  void clear() {
    for (long[] words : segments) {
      for (int w = 0; w < words.length; w++) {
        WORD.setRelease(words, w, 0L);
      }
    }
  }

  /** Returns the words themselves, for who holds all locks or made the table. */
  long[][] segments() {
    return segments;
  }

  /** Returns a copy; the caller holds all locks. */
  PackedTable copy(Geometry geometry) {
    long[][] copy = new long[segments.length][];
    for (int s = 0; s < copy.length; s++) {
      copy[s] = segments[s].clone();
    }
    return new PackedTable(geometry, copy);
  }

  private long bucket(long bucket) {
    return read(segments[(int) (bucket >>> SEGMENT_SHIFT)], bit(bucket, 0), bucketBits);
  }

  /** Returns so many bits from here on, with others above them. */
  private static long read(long[] words, int bit, int length) {
    long low = words[bit >>> 6];
    long high = words[(bit + length - 1) >>> 6];
    return low >>> bit | high << 1 << ~bit;
  }

  /** Returns the top bit of each lane that is all zero. */
  private long lanes(long x) {
    return ~((x & rests) + rests | x) & tops;
  }

  private int bit(long bucket, int slot) {
    return ((int) bucket & SEGMENT_MASK) * bucketBits + slot * bits;
  }

  private static long[][] allocate(Geometry geometry) {
    int[] words = segmentWords(geometry);
    long[][] segments = new long[words.length][];
    for (int s = 0; s < words.length; s++) {
      segments[s] = new long[words[s]];
    }
    return segments;
  }
}
