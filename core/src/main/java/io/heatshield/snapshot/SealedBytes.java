package io.heatshield.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writes or reads a stored snapshot in blocks, each followed by a checksum; numbers are
 * little-endian.
 *
 * <p>A block has at most {@link #BLOCK_BYTES} bytes. A checksum is the CRC-32C of all bytes of the
 * stream before it, except earlier checksums, so it detects every flipped bit, and blocks in the
 * wrong order. An instance writes or reads one snapshot, in one thread.
 */
public final class SealedBytes {
  /** The most bytes of a block. */
  public static final int BLOCK_BYTES = 1 << 16;

  private final ByteBuffer block =
      ByteBuffer.allocate(BLOCK_BYTES + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  /** Begins a snapshot. */
  public SealedBytes() {}

  /** Appends the given number of low bytes of a value to the block. */
  public void put(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      block.put((byte) (value >>> (Byte.SIZE * i)));
    }
  }

  /** Appends bytes to the block. */
  public void put(byte[] content) {
    put(content, 0, content.length);
  }

  /** Appends a part of an array to the block. */
  public void put(byte[] content, int from, int count) {
    block.put(content, from, count);
  }

  /** Writes the block and its checksum, and begins the next block. */
  public void seal(OutputStream out) throws IOException {
    crc.update(block.array(), 0, block.position());
    block.putInt((int) crc.getValue());
    out.write(block.array(), 0, block.position());
    block.clear();
  }

  /** Reads more bytes into the block. */
  public void more(InputStream in, int bytes) throws IOException {
    int from = block.position();
    if (in.readNBytes(block.array(), from, bytes) != bytes) {
      throw new InvalidSnapshotException("snapshot ends too early");
    }
    crc.update(block.array(), from, bytes);
    block.limit(from + bytes);
  }

  /** Reads and verifies the checksum of the block, and begins the next block. */
  public void checkSeal(InputStream in) throws IOException {
    block.clear();
    if (in.readNBytes(block.array(), 0, Integer.BYTES) != Integer.BYTES) {
      throw new InvalidSnapshotException("snapshot ends too early");
    }
    if (block.getInt() != (int) crc.getValue()) {
      throw new InvalidSnapshotException("snapshot was changed: a checksum does not match");
    }
    block.clear();
  }

  /** Returns the next value of the block, of the given number of bytes. */
  public long take(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (block.get() & 0xffL) << (Byte.SIZE * i);
    }
    return value;
  }

  /** Copies the next bytes of the block into a part of an array. */
  public void take(byte[] content, int from, int count) {
    block.get(content, from, count);
  }

  /** Returns the next bytes of the block. */
  public byte[] takeBytes(int count) {
    byte[] bytes = new byte[count];
    take(bytes, 0, count);
    return bytes;
  }
}
