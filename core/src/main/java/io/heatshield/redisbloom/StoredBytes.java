package io.heatshield.redisbloom;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Stored forms in one little-endian array that ends with a CRC-32C of all preceding bytes. */
final class StoredBytes {
  static final int SEAL = Integer.BYTES;

  private StoredBytes() {}

  /** Returns a buffer for a form of the given length and its checksum. */
  static ByteBuffer allocate(long bytes) {
    return ByteBuffer.allocate(Math.toIntExact(bytes + SEAL)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Appends the checksum and returns the complete form. */
  @SuppressWarnings("ByteBufferBackingArray") // Created by allocate, above.
  static byte[] sealed(ByteBuffer form) {
    form.putInt(checksum(form.array(), form.position()));
    return form.array();
  }

  /** Returns the content of a form after checking its checksum. */
  static ByteBuffer open(byte[] form) throws InvalidSnapshotException {
    require(form.length >= SEAL, "ends too early");
    ByteBuffer in = ByteBuffer.wrap(form).order(ByteOrder.LITTLE_ENDIAN);
    int end = form.length - SEAL;
    require(in.getInt(end) == checksum(form, end), "was changed");
    return in.limit(end);
  }

  private static int checksum(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
