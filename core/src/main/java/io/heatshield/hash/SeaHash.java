package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The SeaHash function with its standard seeds: the short name of a key in metric labels and logs.
 *
 * <p>It is <em>unkeyed</em>: everybody can compute it, so that a label found in one process can be
 * looked up in another, and everybody can aim collisions at it. Nothing is ever counted by it;
 * counting structures use a keyed hash.
 */
public final class SeaHash {
  /*
   * Four lanes of 64 bits take the little-endian words of the input in turn. A word is xored into
   * its lane, the lane is diffused, and the lanes rotate; the end folds the four lanes and the
   * length together. A short last word is read as if padded with zero bytes; the length keeps it
   * apart from one that ends in real zeros.
   */
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
    int i = 0;
    for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      long lane = diffuse(a ^ (long) LONG.get(bytes, i));
      a = b;
      b = c;
      c = d;
      d = lane;
    }
    if (i < bytes.length) {
      long word = 0;
      for (int k = bytes.length - 1; k >= i; k--) {
        word = word << 8 | (bytes[k] & 0xffL);
      }
      long lane = diffuse(a ^ word);
      a = b;
      b = c;
      c = d;
      d = lane;
    }
    return diffuse(a ^ b ^ c ^ d ^ bytes.length);
  }

  /** Returns the hash as the 16 hexadecimal digits that labels carry. */
  public static String label(byte[] bytes) {
    String hex = Long.toHexString(hash(bytes));
    return "0".repeat(16 - hex.length()) + hex;
  }

  private static long diffuse(long x) {
    long y = x * PRIME;
    y ^= (y >>> 32) >>> (y >>> 60);
    return y * PRIME;
  }
}
