package io.heatshield.redisbloom;

import java.nio.ByteBuffer;

/** Stored forms with correct checksums and chosen content. */
final class StoredForms {
  private StoredForms() {}

  /** Returns the header of an empty filter with any dimensions. */
  static byte[] header(long capacity, int bucketSize, int tables, int expansion) {
    ByteBuffer out =
        StoredBytes.allocate(CuckooDump.FIXED_HEADER_BYTES + (long) Long.BYTES * tables);
    out.putInt(0x46435348).put((byte) 2).put((byte) tables).putShort((short) bucketSize);
    out.putInt(20).putInt(expansion).putInt(0).putLong(capacity).putLong(0);
    out.putLong(1).putLong(2).put((byte) Math.min(1, expansion)).put((byte) 0);
    for (int i = 0; i < tables; i++) {
      out.putLong(0);
    }
    return StoredBytes.sealed(out);
  }
}
