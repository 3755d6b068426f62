package io.heatshield.redisbloom;

/** A bijection of 64 bits without a pattern: two multiplications and three shifts. */
final class Mix {
  private Mix() {}

  static long of(long x) {
    long y = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L + 0x9e3779b97f4a7c15L;
    y = (y ^ (y >>> 27)) * 0x94d049bb133111ebL;
    return y ^ (y >>> 31);
  }
}
