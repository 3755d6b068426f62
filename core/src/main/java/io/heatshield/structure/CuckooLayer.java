package io.heatshield.structure;

/**
 * One table of a {@link LayeredCuckoo}: buckets of four fingerprints of 16 bits, a word each.
 *
 * <p>For one thread at a time.
 */
final class CuckooLayer {
  /*
   * A table has n << shift buckets. The bucket of a hash is the upper half of hash * (n << shift), so that the bucket in
   * a table with a lesser shift is that in this one, shifted right by the difference. The other bucket keeps this: it is
   * (offset - i) mod n for the upper part, and the lower bits exclusive-ored with the upper bits of a mixed fingerprint.
   * Both are their own inverse. So two hashes that cannot be told apart here cannot in any table with a lesser shift.
   */
  static final int SLOTS = 4;
  private static final long ONES = 0x0001000100010001L;
  private static final long TOPS = ONES << 15;
  private static final long MASK = 0xffff;
  private static final int LOAD_PERCENT = 95;

  final long limit;
  private final int base;
  private final int shift;
  private final long[] words;
  long count;

  CuckooLayer(long capacity, int base, int shift) {
    this.limit = capacity;
    this.base = base;
    this.shift = shift;
    this.words = new long[base << shift];
  }

  private CuckooLayer(CuckooLayer from) {
    limit = from.limit;
    base = from.base;
    shift = from.shift;
    words = from.words.clone();
    count = from.count;
  }

  CuckooLayer copy() {
    return new CuckooLayer(this);
  }

  /** Returns the buckets that so many fingerprints need. */
  static long buckets(long capacity) {
    long perBucket = (long) SLOTS * LOAD_PERCENT;
    long needed = (capacity * 100 + perBucket - 1) / perBucket;
    return Math.max(2, needed + Math.min(16, needed / 64));
  }

  /** Returns the fingerprint of a hash, which is never 0. */
  static long fingerprint(long hash) {
    long low = hash & MASK;
    return low == 0 ? 1 : low;
  }

  long bytes() {
    return (long) words.length * Long.BYTES;
  }

  int shift() {
    return shift;
  }

  int buckets() {
    return words.length;
  }

  int bucket(long hash) {
    return (int) high(hash, words.length);
  }

  int other(int bucket, long fingerprint) {
    long mixed = Mix.of(fingerprint);
    int upper = (int) high(mixed, base) - (bucket >>> shift);
    upper += upper < 0 ? base : 0;
    int lower = bucket & ((1 << shift) - 1);
    return shift == 0 ? upper : (upper << shift) | (lower ^ (int) (Mix.of(mixed) >>> (64 - shift)));
  }

  int copies(int bucket, long fingerprint) {
    int other = other(bucket, fingerprint);
    int found = Long.bitCount(lanes(words[bucket], fingerprint));
    return other == bucket ? found : found + Long.bitCount(lanes(words[other], fingerprint));
  }

  boolean remove(int bucket, long fingerprint) {
    return removeFrom(bucket, fingerprint) || removeFrom(other(bucket, fingerprint), fingerprint);
  }

  /** Puts a fingerprint in, moving up to so many others; changes nothing if that does not help. */
  boolean put(int bucket, long fingerprint, int moves, long random) {
    if (count >= limit) {
      return false;
    }
    int other = other(bucket, fingerprint);
    if (putInto(bucket, fingerprint) || putInto(other, fingerprint)) {
      count++;
      return true;
    }
    return walk(random < 0 ? bucket : other, fingerprint, moves, random);
  }

  long get(int bucket, int slot) {
    return words[bucket] >>> (16 * slot) & MASK;
  }

  void set(int bucket, int slot, long fingerprint) {
    int bit = 16 * slot;
    words[bucket] = (words[bucket] & ~(MASK << bit)) | fingerprint << bit;
  }

  /** Counts what is in the table. */
  long counted() {
    long found = 0;
    for (long word : words) {
      found += SLOTS - Long.bitCount(lanes(word, 0));
    }
    return found;
  }

  /** Returns one byte of the words, little-endian. */
  byte byteAt(long place) {
    return (byte) (words[(int) (place >>> 3)] >>> (8 * (place & 7)));
  }

  void byteAt(long place, byte value) {
    int bit = 8 * (int) (place & 7);
    int word = (int) (place >>> 3);
    words[word] = (words[word] & ~(0xffL << bit)) | (value & 0xffL) << bit;
  }

  private boolean walk(int from, long fingerprint, int moves, long seed) {
    long[] path = new long[moves];
    long moving = fingerprint;
    long random = seed;
    int at = from;
    for (int i = 0; i < moves; i++) {
      random = Mix.of(random);
      int slot = (int) random & (SLOTS - 1);
      path[i] = (long) at << 2 | slot;
      moving = swap(at, slot, moving);
      at = other(at, moving);
      if (putInto(at, moving)) {
        count++;
        return true;
      }
    }
    for (int i = moves - 1; i >= 0; i--) {
      moving = swap((int) (path[i] >>> 2), (int) path[i] & (SLOTS - 1), moving);
    }
    return false;
  }

  private long swap(int bucket, int slot, long fingerprint) {
    long before = get(bucket, slot);
    set(bucket, slot, fingerprint);
    return before;
  }

  private boolean putInto(int bucket, long fingerprint) {
    long empty = lanes(words[bucket], 0);
    if (empty == 0) {
      return false;
    }
    words[bucket] |= fingerprint << (Long.numberOfTrailingZeros(empty) - 15);
    return true;
  }

  private boolean removeFrom(int bucket, long fingerprint) {
    long found = lanes(words[bucket], fingerprint);
    if (found == 0) {
      return false;
    }
    words[bucket] &= ~(MASK << (Long.numberOfTrailingZeros(found) - 15));
    count--;
    return true;
  }

  /** Returns the top bit of each lane that holds the fingerprint, and nothing else. */
  private static long lanes(long word, long fingerprint) {
    long x = word ^ (fingerprint * ONES);
    return ~(((x & ~TOPS) + ~TOPS) | x) & TOPS;
  }

  private static long high(long hash, long range) {
    return Math.multiplyHigh(hash, range) + (hash >> 63 & range);
  }
}
