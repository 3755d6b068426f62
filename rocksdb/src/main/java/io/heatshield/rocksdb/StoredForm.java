package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes of a value on disk: its type, 0 for no end or 1 for one, the end in 8 bytes if there is
 * one, and the content; and those of an entry in the index of ends: the end in 8 bytes and the key.
 * Numbers are big-endian, so that the index is in order of time.
 */
final class StoredForm {
  private static final int HEAD = 2;

  private StoredForm() {}

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
    return new Value(stored[0], Arrays.copyOfRange(stored, head, stored.length), end);
  }

  static byte[] end(long expiresAt, byte[] key) {
    return ByteBuffer.allocate(Long.BYTES + key.length).putLong(expiresAt).put(key).array();
  }

  static long endOf(byte[] entry) {
    return ByteBuffer.wrap(entry).getLong();
  }

  static byte[] keyOf(byte[] entry) {
    return Arrays.copyOfRange(entry, Long.BYTES, entry.length);
  }
}
