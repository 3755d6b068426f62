package io.heatshield.filter;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of a stored snapshot on their way, block by block, each sealed with the checksum so
 * far.
 */
final class SnapshotBytes {
  static final long MAGIC = 0x4f4f4b4355435348L; // "HSCUCKOO"
  static final int VERSION = 1;
  static final int BLOCK_BYTES = 1 << 16;
  static final int MOST_TABLES = 32;

  private final ByteBuffer block =
      ByteBuffer.allocate(BLOCK_BYTES + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  void put(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      block.put((byte) (value >>> (Byte.SIZE * i)));
    }
  }

  void put(byte[] content, int from, int count) {
    block.put(content, from, count);
  }

  /** Writes the block and its checksum. */
  void seal(OutputStream out) throws IOException {
    crc.update(block.array(), 0, block.position());
    block.putInt((int) crc.getValue());
    out.write(block.array(), 0, block.position());
    block.clear();
  }

  /** Reads bytes that follow in the same block. */
  void more(InputStream in, int bytes) throws IOException {
    int from = block.position();
    int got = in.readNBytes(block.array(), from, bytes);
    if (got != bytes) {
      throw new InvalidSnapshotException("snapshot ends too early");
    }
    crc.update(block.array(), from, bytes);
    block.limit(from + bytes);
  }

  /** Reads the checksum of the block, which is then empty. */
  void checkSeal(InputStream in) throws IOException {
    block.clear();
    if (in.readNBytes(block.array(), 0, Integer.BYTES) != Integer.BYTES) {
      throw new InvalidSnapshotException("snapshot ends too early");
    }
    if (block.getInt() != (int) crc.getValue()) {
      throw new InvalidSnapshotException("snapshot was changed: a checksum does not match");
    }
    block.clear();
  }

  long take(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (block.get() & 0xffL) << (Byte.SIZE * i);
    }
    return value;
  }

  void take(byte[] content, int from, int count) {
    block.get(content, from, count);
  }
}
