package io.heatshield.hash;

import java.util.HexFormat;

/**
 * The SeaHash function with its standard seeds, for short names of keys in metric labels and logs.
 *
 * <p>It is <em>unkeyed</em>, so a key has the same label in every process. For the same reason,
 * collisions are easy to construct. It must not be used for counting; counting structures use a
 * {@link KeyHash}.
 */
public final class SeaHash {
  /*
   * The state consists of four lanes of 64 bits. Each little-endian word of the input is combined
   * by XOR with the first lane, which is then diffused and becomes the last lane. The result
   * combines the four lanes and the length. A short last word is padded with zero bytes; the length
   * distinguishes it from a word that ends in zeros.
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

  /** Returns the hash as 16 hexadecimal digits, for use as a label. */
  public static String label(byte[] bytes) {
    return HexFormat.of().toHexDigits(hash(bytes));
  }

  private static long diffuse(long x) {
    long y = x * PRIME;
    y ^= (y >>> 32) >>> (y >>> 60);
    return y * PRIME;
  }
}
