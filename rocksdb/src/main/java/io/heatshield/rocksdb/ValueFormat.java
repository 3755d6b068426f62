package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The format of a value on disk: its type, 1 if it has an expiry or else 0, the expiry in 8 bytes
 * if there is one, and the content. An entry in the index of expiries is the expiry in 8 bytes and
 * the key. Numbers are big-endian, so that the index is ordered by time.
 */
final class ValueFormat {
  private static final int HEAD = 2;

  private ValueFormat() {}

  static byte[] of(Value value) {
    int head = HEAD + (value.expires() ? Long.BYTES : 0);
    ByteBuffer stored = ByteBuffer.allocate(head + value.bytes().length);
    stored.put(value.type()).put((byte) (value.expires() ? 1 : 0));
    if (value.expires()) {
      stored.putLong(value.expiresAt());
    }
    return stored.put(value.bytes()).array();
  }

  static Value read(byte[] stored) {
    boolean expires = stored.length >= HEAD && stored[1] == 1;
    int head = HEAD + (expires ? Long.BYTES : 0);
    if (stored.length < head || stored[1] > 1 || stored[1] < 0) {
      throw new StoreException(StoreException.Reason.DAMAGED, "a value on disk is damaged");
    }
    long end = expires ? ByteBuffer.wrap(stored).getLong(HEAD) : Value.NEVER;
    return Value.of(stored[0], Arrays.copyOfRange(stored, head, stored.length), end);
  }

  static byte[] indexEntry(long expiresAt, byte[] key) {
    return ByteBuffer.allocate(Long.BYTES + key.length).putLong(expiresAt).put(key).array();
  }

  static long expiryOf(byte[] entry) {
    return ByteBuffer.wrap(entry).getLong();
  }

  static byte[] keyOf(byte[] entry) {
    return Arrays.copyOfRange(entry, Long.BYTES, entry.length);
  }
}
