package io.heatshield.redisbloom;

/** Mixing of hashes. */
final class Mix {
  private static final long ROW = 0x9e3779b97f4a7c15L;

  private Mix() {}

  /** Returns a bijective, pseudo-random function of 64 bits. */
  static long of(long x) {
    long y = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L + 0x9e3779b97f4a7c15L;
    y = (y ^ (y >>> 27)) * 0x94d049bb133111ebL;
    return y ^ (y >>> 31);
  }

  /** Returns the cell of a hash in one row of a sketch; the salt makes rows independent. */
  static long cell(long hashed, int salt, long width) {
    return scale(of(hashed + (ROW * salt)), width);
  }

  /** Scales an unsigned hash to 0 to {@code range - 1}. */
  static long scale(long hash, long range) {
    return Math.multiplyHigh(hash, range) + (hash >> 63 & range);
  }
}
