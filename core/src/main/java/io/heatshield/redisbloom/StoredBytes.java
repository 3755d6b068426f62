package io.heatshield.redisbloom;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Stored forms in one array, little-endian, that end with the CRC-32C of all before. */
final class StoredBytes {
  static final int SEAL = Integer.BYTES;

  private StoredBytes() {}

  /** Returns room for a form of so many bytes and its checksum. */
  static ByteBuffer allocate(long bytes) {
    return ByteBuffer.allocate(Math.toIntExact(bytes + SEAL)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the whole form, once all but its checksum is written. */
  @SuppressWarnings("ByteBufferBackingArray") // Made by allocate, above.
  static byte[] sealed(ByteBuffer form) {
    form.putInt(checksum(form.array(), form.position()));
    return form.array();
  }

  /** Returns what a form holds, if its checksum is right. */
  static ByteBuffer open(byte[] form) throws InvalidSnapshotException {
    InvalidSnapshotException.require(form.length >= SEAL, "ends too early");
    ByteBuffer in = ByteBuffer.wrap(form).order(ByteOrder.LITTLE_ENDIAN);
    int end = form.length - SEAL;
    InvalidSnapshotException.require(in.getInt(end) == checksum(form, end), "was changed");
    return in.limit(end);
  }

  static void require(boolean holds, String otherwise) throws InvalidSnapshotException {
    InvalidSnapshotException.require(holds, otherwise);
  }

  private static int checksum(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
