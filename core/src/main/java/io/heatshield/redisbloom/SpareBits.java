package io.heatshield.redisbloom;

/**
 * A row of numbers of the same few bits, from 0 to 16 each, packed into words.
 *
 * <p>For one thread at a time.
 */
final class SpareBits {
  static final int MOST = 16;

  private final int width;
  final long[] words;

  SpareBits(int width, long count) {
    this.width = width;
    this.words = new long[(int) words(width, count)];
  }

  private SpareBits(SpareBits from) {
    width = from.width;
    words = from.words.clone();
  }

  /** Returns the words that so many numbers take. */
  static long words(int width, long count) {
    return (width * count + Long.SIZE - 1) / Long.SIZE;
  }

  SpareBits copy() {
    return new SpareBits(this);
  }

  long get(long index) {
    if (width == 0) {
      return 0;
    }
    long bit = index * width;
    int word = (int) (bit >>> 6);
    int from = (int) bit & 63;
    long value = words[word] >>> from;
    if (from + width > Long.SIZE) {
      value |= words[word + 1] << (Long.SIZE - from);
    }
    return value & mask();
  }

  void set(long index, long value) {
    if (width == 0) {
      return;
    }
    long bit = index * width;
    int word = (int) (bit >>> 6);
    int from = (int) bit & 63;
    words[word] = (words[word] & ~(mask() << from)) | value << from;
    if (from + width > Long.SIZE) {
      int left = Long.SIZE - from;
      words[word + 1] = (words[word + 1] & ~(mask() >>> left)) | value >>> left;
    }
  }

  private long mask() {
    return (1L << width) - 1;
  }
}
