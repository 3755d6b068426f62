package io.heatshield.hash;

import java.util.HexFormat;

/**
 * The SeaHash function with its standard seeds: the short name of a key in metric labels and logs.
 *
 * <p>It is <em>unkeyed</em>: anyone can compute it, so a label from one process can be looked up in
 * another. For the same reason anyone can construct collisions, so nothing is counted by it;
 * counting structures use a {@link KeyHash}.
 */
public final class SeaHash {
  /*
   * Four lanes of 64 bits take the little-endian words of the input in turn. A word is xored into
   * its lane, the lane is diffused, and the lanes rotate. The end combines the four lanes and the
   * length. A short last word is padded with zero bytes; the length distinguishes it from a word
   * that ends in zeros.
   */
  private static final long SEED_A = 0x16f11fe89b0d677cL;
  private static final long SEED_B = 0xb480a793d8e6c86cL;
  private static final long SEED_C = 0x6fe2e5aaf078ebc9L;
  private static final long SEED_D = 0x14f994a4c5259381L;
  private static final long PRIME = 0x6eed0e9da4d94a4fL;

  private SeaHash() {}

  /** Returns the hash of the whole array. */
  public static long hash(byte[] bytes) {
    long a = SEED_A;
    long b = SEED_B;
    long c = SEED_C;
    long d = SEED_D;
    for (int at = 0; at < bytes.length; at += Long.BYTES) {
      long lane = diffuse(a ^ Words.padded(bytes, 0, bytes.length, at));
      a = b;
      b = c;
      c = d;
      d = lane;
    }
    return diffuse(a ^ b ^ c ^ d ^ bytes.length);
  }

  /** Returns the hash as 16 hexadecimal digits, the form that labels have. */
  public static String label(byte[] bytes) {
    return HexFormat.of().toHexDigits(hash(bytes));
  }

  private static long diffuse(long x) {
    long y = x * PRIME;
    y ^= (y >>> 32) >>> (y >>> 60);
    return y * PRIME;
  }
}
