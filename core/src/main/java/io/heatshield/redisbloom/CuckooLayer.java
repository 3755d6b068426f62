package io.heatshield.redisbloom;

/**
 * One table of a {@link LayeredCuckoo}: buckets of four fingerprints of 16 bits, a word each, and
 * up to 16 spare bits of position for each fingerprint.
 *
 * <p>For one thread at a time.
 */
final class CuckooLayer {
  /*
   * A table has base << shift buckets. The position of a hash is the upper half of hash * (base << shift + spare); its
   * upper bits are the bucket, and the lower `spare` ones are kept with the fingerprint. So the position in a table with
   * a lesser shift + spare is that in this one, shifted right by the difference. The other position keeps this: it is
   * (offset - i) mod base for the upper part, and the lower bits exclusive-ored with the upper bits of a mixed
   * fingerprint. Both are their own inverse. So two hashes that cannot be told apart here cannot in any table with a
   * lesser shift + spare, and a table with a spare bit can be doubled without the items: the bit becomes one of the
   * bucket, and a bucket's fingerprints always fit into the two that come of it.
   */
  static final int SLOTS = 4;
  private static final long ONES = 0x0001000100010001L;
  private static final long TOPS = ONES << 15;
  private static final long MASK = 0xffff;
  private static final int LOAD_PERCENT = 95;

  final long limit;
  private final int base;
  private final int shift;
  private final int spare;
  private final long[] words;
  private final SpareBits bits;
  long count;

  CuckooLayer(long limit, int base, int shift, int spare) {
    this.limit = limit;
    this.base = base;
    this.shift = shift;
    this.spare = spare;
    this.words = new long[base << shift];
    this.bits = new SpareBits(spare, (long) SLOTS * words.length);
  }

  private CuckooLayer(CuckooLayer from) {
    limit = from.limit;
    base = from.base;
    shift = from.shift;
    spare = from.spare;
    words = from.words.clone();
    bits = from.bits.copy();
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

  /** Returns the bytes of a table with so many buckets. */
  static long bytes(long buckets, int spare) {
    return Long.BYTES * (buckets + SpareBits.words(spare, SLOTS * buckets));
  }

  /** Returns the fingerprint of a hash, which is never 0. */
  static long fingerprint(long hash) {
    long low = hash & MASK;
    return low == 0 ? 1 : low;
  }

  long bytes() {
    return bytes(words.length, spare);
  }

  int shift() {
    return shift;
  }

  /** Returns how many bits of a position are not of the base. */
  int depth() {
    return shift + spare;
  }

  long position(long hash) {
    return high(hash, (long) base << depth());
  }

  long other(long position, long fingerprint) {
    int depth = depth();
    long mixed = Mix.of(fingerprint);
    long upper = high(mixed, base) - (position >>> depth);
    upper += upper < 0 ? base : 0;
    long lower = position & ((1L << depth) - 1);
    return depth == 0
        ? upper
        : (upper << depth) | (lower ^ (Mix.of(mixed) >>> (Long.SIZE - depth)));
  }

  int copies(long position, long fingerprint) {
    long other = other(position, fingerprint);
    int found = copiesAt(position, fingerprint);
    return other == position ? found : found + copiesAt(other, fingerprint);
  }

  boolean remove(long position, long fingerprint) {
    return removeFrom(position, fingerprint)
        || removeFrom(other(position, fingerprint), fingerprint);
  }

  /** Puts a fingerprint in, moving up to so many others; changes nothing if that does not help. */
  boolean put(long position, long fingerprint, int moves, long random) {
    if (count >= limit) {
      return false;
    }
    long other = other(position, fingerprint);
    if (putInto(position, fingerprint) || putInto(other, fingerprint)) {
      count++;
      return true;
    }
    return walk(random < 0 ? position : other, fingerprint, moves, random);
  }

  /** Returns a table of twice the buckets with the same content, which needs a spare bit. */
  CuckooLayer doubled() {
    var doubled = new CuckooLayer(2 * limit, base, shift + 1, spare - 1);
    for (int bucket = 0; bucket < words.length; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        long fingerprint = get(bucket, slot);
        if (fingerprint != 0) {
          doubled.putInto(positionAt(bucket, slot), fingerprint);
        }
      }
    }
    doubled.count = count;
    return doubled;
  }

  /** Moves what an older table has room for into it. */
  void moveTo(CuckooLayer older, int moves, long seed) {
    int difference = depth() - older.depth();
    long random = seed;
    for (int bucket = 0; bucket < words.length && count > 0; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        long fingerprint = get(bucket, slot);
        random = Mix.of(random);
        if (fingerprint != 0
            && older.put(positionAt(bucket, slot) >>> difference, fingerprint, moves, random)) {
          set(bucket, slot, 0, 0);
          count--;
        }
      }
    }
  }

  /** Counts what is in the table. */
  long counted() {
    long found = 0;
    for (long word : words) {
      found += SLOTS - Long.bitCount(lanes(word, 0));
    }
    return found;
  }

  /** Returns one byte of the words and the spare bits, little-endian. */
  byte byteAt(long place) {
    int word = (int) (place >>> 3);
    return (byte) (array(word)[inArray(word)] >>> (8 * (place & 7)));
  }

  void byteAt(long place, byte value) {
    int bit = 8 * (int) (place & 7);
    int word = (int) (place >>> 3);
    long[] array = array(word);
    array[inArray(word)] = (array[inArray(word)] & ~(0xffL << bit)) | (value & 0xffL) << bit;
  }

  private long[] array(int word) {
    return word < words.length ? words : bits.words;
  }

  private int inArray(int word) {
    return word < words.length ? word : word - words.length;
  }

  private boolean walk(long from, long fingerprint, int moves, long seed) {
    long[] path = new long[moves];
    long moving = fingerprint;
    long random = seed;
    long at = from;
    for (int i = 0; i < moves; i++) {
      random = Mix.of(random);
      int slot = (int) random & (SLOTS - 1);
      int bucket = (int) (at >>> spare);
      path[i] = (long) bucket << 2 | slot;
      long place = positionAt(bucket, slot);
      moving = swap(at, slot, moving);
      at = other(place, moving);
      if (putInto(at, moving)) {
        count++;
        return true;
      }
    }
    undo(path, moving, at);
    return false;
  }

  /** Takes every move back: who had no room at a position goes to where it was moved from. */
  private void undo(long[] path, long last, long at) {
    long moving = last;
    long position = other(at, last);
    for (int i = path.length - 1; i >= 0; i--) {
      int slot = (int) path[i] & (SLOTS - 1);
      long place = positionAt((int) (path[i] >>> 2), slot);
      moving = swap(position, slot, moving);
      position = other(place, moving);
    }
  }

  /** Puts a fingerprint at a position into a slot, and returns that which was there. */
  private long swap(long position, int slot, long fingerprint) {
    int bucket = (int) (position >>> spare);
    long before = get(bucket, slot);
    set(bucket, slot, fingerprint, position);
    return before;
  }

  private long get(int bucket, int slot) {
    return words[bucket] >>> (16 * slot) & MASK;
  }

  private long positionAt(int bucket, int slot) {
    return (long) bucket << spare | bits.get((long) SLOTS * bucket + slot);
  }

  private void set(int bucket, int slot, long fingerprint, long position) {
    int bit = 16 * slot;
    words[bucket] = (words[bucket] & ~(MASK << bit)) | fingerprint << bit;
    bits.set((long) SLOTS * bucket + slot, position & ((1L << spare) - 1));
  }

  private boolean putInto(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    long empty = lanes(words[bucket], 0);
    if (empty == 0) {
      return false;
    }
    set(bucket, Long.numberOfTrailingZeros(empty) >>> 4, fingerprint, position);
    return true;
  }

  private int copiesAt(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    int found = 0;
    for (long left = lanes(words[bucket], fingerprint); left != 0; left &= left - 1) {
      found += positionAt(bucket, Long.numberOfTrailingZeros(left) >>> 4) == position ? 1 : 0;
    }
    return found;
  }

  private boolean removeFrom(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    for (long left = lanes(words[bucket], fingerprint); left != 0; left &= left - 1) {
      int slot = Long.numberOfTrailingZeros(left) >>> 4;
      if (positionAt(bucket, slot) == position) {
        set(bucket, slot, 0, 0);
        count--;
        return true;
      }
    }
    return false;
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
