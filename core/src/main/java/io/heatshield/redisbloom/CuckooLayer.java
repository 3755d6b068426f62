package io.heatshield.redisbloom;

/**
 * One table of a {@link LayeredCuckoo}: buckets of four 16-bit fingerprints, one word each, and up
 * to 16 spare position bits per fingerprint. Not thread-safe.
 */
final class CuckooLayer {
  /*
   * A table has base << shift buckets. The position of a hash is the upper half of
   * hash * (base << shift + spare); its upper bits are the bucket, and its lower `spare` bits are
   * stored with the fingerprint. So the position in a table with a smaller shift + spare is this
   * position shifted right by the difference. The other position preserves this: its upper part is
   * (offset - i) mod base, and its lower bits are exclusive-ored with the upper bits of a mixed
   * fingerprint. Both are their own inverse. So two hashes that look the same here look the same in
   * any table with a smaller shift + spare, and a table with a spare bit can be doubled without the
   * items: the bit becomes part of the bucket, and the fingerprints of a bucket always fit into the
   * two resulting buckets.
   */
  static final int SLOTS = 4;
  static final int MAX_SPARE = 16;
  private static final long ONES = 0x0001000100010001L;
  private static final long TOPS = ONES << 15;
  private static final long MASK = 0xffff;
  private static final int LOAD_PERCENT = 95;

  final long limit;
  private final int base;
  private final int shift;
  private final int spare;

  /** The buckets, one word each, followed by the packed spare bits of all slots. */
  private final long[] words;

  private final int buckets;
  long count;

  CuckooLayer(long limit, int base, int shift, int spare) {
    this.limit = limit;
    this.base = base;
    this.shift = shift;
    this.spare = spare;
    this.buckets = base << shift;
    this.words = new long[(int) words(buckets, spare)];
  }

  private CuckooLayer(CuckooLayer from) {
    limit = from.limit;
    base = from.base;
    shift = from.shift;
    spare = from.spare;
    buckets = from.buckets;
    words = from.words.clone();
    count = from.count;
  }

  CuckooLayer copy() {
    return new CuckooLayer(this);
  }

  /** Returns the number of buckets for a capacity. */
  static long buckets(long capacity) {
    long perBucket = (long) SLOTS * LOAD_PERCENT;
    long needed = (capacity * 100 + perBucket - 1) / perBucket;
    return Math.max(2, needed + Math.min(16, needed / 64));
  }

  /** Returns the bytes of a table. */
  static long bytes(long buckets, int spare) {
    return Long.BYTES * words(buckets, spare);
  }

  private static long words(long buckets, int spare) {
    return buckets + (SLOTS * buckets * spare + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns the fingerprint of a hash, which is never 0. */
  static long fingerprint(long hash) {
    long low = hash & MASK;
    return low == 0 ? 1 : low;
  }

  long bytes() {
    return (long) Long.BYTES * words.length;
  }

  int shift() {
    return shift;
  }

  /** Returns the position bits below the base. */
  int depth() {
    return shift + spare;
  }

  long position(long hash) {
    return Mix.scale(hash, (long) base << depth());
  }

  long other(long position, long fingerprint) {
    int depth = depth();
    long mixed = Mix.of(fingerprint);
    long upper = Mix.scale(mixed, base) - (position >>> depth);
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

  /** Adds a fingerprint, moving up to {@code moves} others; changes nothing if that fails. */
  boolean put(long position, long fingerprint, int moves, long random) {
    if (count >= limit) {
      return false;
    }
    long other = other(position, fingerprint);
    if (putInto(position, fingerprint) || putInto(other, fingerprint)) {
      count++;
      return true;
    }
    return putByRandomWalk(random < 0 ? position : other, fingerprint, moves, random);
  }

  /** Returns a table of twice the buckets with the same content; requires a spare bit. */
  CuckooLayer doubled() {
    var doubled = new CuckooLayer(2 * limit, base, shift + 1, spare - 1);
    for (int bucket = 0; bucket < buckets; bucket++) {
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

  /** Moves fingerprints to an older table as long as it has room. */
  void moveTo(CuckooLayer older, int moves, long seed) {
    int difference = depth() - older.depth();
    long random = seed;
    for (int bucket = 0; bucket < buckets && count > 0; bucket++) {
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

  /** Returns the number of fingerprints, by counting them. */
  long countFingerprints() {
    long found = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      found += SLOTS - Long.bitCount(matchingLanes(words[bucket], 0));
    }
    return found;
  }

  /** Returns one byte of the words, little-endian. */
  byte byteAt(long index) {
    return (byte) (words[(int) (index >>> 3)] >>> (8 * (index & 7)));
  }

  void setByteAt(long index, byte value) {
    int bit = 8 * (int) (index & 7);
    int word = (int) (index >>> 3);
    words[word] = (words[word] & ~(0xffL << bit)) | (value & 0xffL) << bit;
  }

  /** Moves random fingerprints until one finds an empty slot; reverts all moves if that fails. */
  private boolean putByRandomWalk(long from, long fingerprint, int moves, long seed) {
    long[] path = new long[moves];
    long moving = fingerprint;
    long random = seed;
    long at = from;
    for (int i = 0; i < moves; i++) {
      random = Mix.of(random);
      int slot = (int) random & (SLOTS - 1);
      int bucket = (int) (at >>> spare);
      path[i] = (long) bucket << 2 | slot;
      long position = positionAt(bucket, slot);
      moving = swap(at, slot, moving);
      at = other(position, moving);
      if (putInto(at, moving)) {
        count++;
        return true;
      }
    }
    undo(path, moving, at);
    return false;
  }

  /** Reverts all moves: a fingerprint without a slot returns to where it was. */
  private void undo(long[] path, long last, long at) {
    long moving = last;
    long target = other(at, last);
    for (int i = path.length - 1; i >= 0; i--) {
      int slot = (int) path[i] & (SLOTS - 1);
      long position = positionAt((int) (path[i] >>> 2), slot);
      moving = swap(target, slot, moving);
      target = other(position, moving);
    }
  }

  /** Replaces the fingerprint in a slot, and returns the previous one. */
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
    return (long) bucket << spare | spareAt((long) SLOTS * bucket + slot);
  }

  private void set(int bucket, int slot, long fingerprint, long position) {
    int bit = 16 * slot;
    words[bucket] = (words[bucket] & ~(MASK << bit)) | fingerprint << bit;
    setSpareAt((long) SLOTS * bucket + slot, position & spareMask());
  }

  private long spareAt(long index) {
    if (spare == 0) {
      return 0;
    }
    long bit = index * spare;
    int word = buckets + (int) (bit >>> 6);
    int from = (int) bit & 63;
    long value = words[word] >>> from;
    if (from + spare > Long.SIZE) {
      value |= words[word + 1] << (Long.SIZE - from);
    }
    return value & spareMask();
  }

  private void setSpareAt(long index, long value) {
    if (spare == 0) {
      return;
    }
    long bit = index * spare;
    int word = buckets + (int) (bit >>> 6);
    int from = (int) bit & 63;
    words[word] = (words[word] & ~(spareMask() << from)) | value << from;
    if (from + spare > Long.SIZE) {
      int left = Long.SIZE - from;
      words[word + 1] = (words[word + 1] & ~(spareMask() >>> left)) | value >>> left;
    }
  }

  private long spareMask() {
    return (1L << spare) - 1;
  }

  private boolean putInto(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    long empty = matchingLanes(words[bucket], 0);
    if (empty == 0) {
      return false;
    }
    set(bucket, Long.numberOfTrailingZeros(empty) >>> 4, fingerprint, position);
    return true;
  }

  private int copiesAt(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    int found = 0;
    for (long left = matchingLanes(words[bucket], fingerprint); left != 0; left &= left - 1) {
      found += positionAt(bucket, Long.numberOfTrailingZeros(left) >>> 4) == position ? 1 : 0;
    }
    return found;
  }

  private boolean removeFrom(long position, long fingerprint) {
    int bucket = (int) (position >>> spare);
    for (long left = matchingLanes(words[bucket], fingerprint); left != 0; left &= left - 1) {
      int slot = Long.numberOfTrailingZeros(left) >>> 4;
      if (positionAt(bucket, slot) == position) {
        set(bucket, slot, 0, 0);
        count--;
        return true;
      }
    }
    return false;
  }

  /** Returns the top bit of each lane that holds the fingerprint. */
  private static long matchingLanes(long word, long fingerprint) {
    long x = word ^ (fingerprint * ONES);
    return ~(((x & ~TOPS) + ~TOPS) | x) & TOPS;
  }
}
