package io.heatshield.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A stream of touches of a million keys of 24 bytes by Zipf's law with exponent 1, the same in
 * every run.
 *
 * <p>Every touch has its own array and string, created in the order of the stream, as a port
 * creates them from its input: a key is in the cache when it is used, and is not the object that a
 * table holds. If all touches of a key shared one object, most of the time would be cache misses on
 * that object, which a port does not have.
 */
final class ZipfKeys {
  static final int KEYS = 1_000_000;

  /** Touches drawn in advance; a power of two, so that a cursor wraps by a mask. */
  static final int TOUCHES = 1 << 20;

  final byte[][] bytes = new byte[TOUCHES][];
  final String[] texts = new String[TOUCHES];

  ZipfKeys() {
    double[] cumulated = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
    var random = new SplittableRandom(1);
    for (int i = 0; i < TOUCHES; i++) {
      bytes[i] = key(rank(cumulated, random.nextDouble() * sum));
    }
    for (int i = 0; i < TOUCHES; i++) {
      texts[i] = new String(bytes[i], StandardCharsets.US_ASCII);
    }
  }

  /** Returns a key's bytes; neighbours in rank are not neighbours in text. */
  private static byte[] key(int rank) {
    byte[] key = "user:0000000000000000000".getBytes(StandardCharsets.US_ASCII);
    long rest = (rank * 0x9e3779b97f4a7c15L) >>> 4;
    for (int at = key.length - 1; rest > 0; at--) {
      key[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  private static int rank(double[] cumulated, double at) {
    int low = 0;
    int high = cumulated.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated[middle] < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
