package io.heatshield.redisbloom;

import io.heatshield.hash.HashSecret;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Creates and reads the secrets of structures, 16 bytes each, which are part of stored forms. */
final class Secrets {
  static final int BYTES = 16;

  private Secrets() {}

  static HashSecret random() {
    return HashSecret.of(Arrays.copyOf(HashSecret.random().toBytes(), BYTES));
  }

  static HashSecret read(ByteBuffer in) {
    byte[] bytes = new byte[BYTES];
    in.get(bytes);
    return HashSecret.of(bytes);
  }
}
