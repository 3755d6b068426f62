package io.heatshield.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of a stored snapshot on their way, block by block, each sealed with the checksum so
 * far; numbers are little-endian.
 *
 * <p>A block holds at most {@link #BLOCK_BYTES} bytes. A checksum is the CRC-32C of all bytes of
 * the stream before it, except earlier checksums, so it finds every flipped bit and every block
 * that is not in its place. One thread writes or reads a snapshot with an instance of its own.
 */
public final class SealedBytes {
  /** The most bytes that a block holds. */
  public static final int BLOCK_BYTES = 1 << 16;

  private final ByteBuffer block =
      ByteBuffer.allocate(BLOCK_BYTES + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();

  /** Puts the lowest bytes of a number into the block. */
  public void put(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      block.put((byte) (value >>> (Byte.SIZE * i)));
    }
  }

  /** Puts bytes into the block. */
  public void put(byte[] content) {
    put(content, 0, content.length);
  }

  /** Puts a part of an array into the block. */
  public void put(byte[] content, int from, int count) {
    block.put(content, from, count);
  }

  /** Writes the block and its checksum. */
  public void seal(OutputStream out) throws IOException {
    crc.update(block.array(), 0, block.position());
    block.putInt((int) crc.getValue());
    out.write(block.array(), 0, block.position());
    block.clear();
  }

  /** Reads bytes that follow in the same block. */
  public void more(InputStream in, int bytes) throws IOException {
    int from = block.position();
    int got = in.readNBytes(block.array(), from, bytes);
    if (got != bytes) {
      throw new InvalidSnapshotException("snapshot ends too early");
    }
    crc.update(block.array(), from, bytes);
    block.limit(from + bytes);
  }

  /** Reads the checksum of the block, which is then empty. */
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

  /** Takes a number of so many bytes from the block that was read. */
  public long take(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (block.get() & 0xffL) << (Byte.SIZE * i);
    }
    return value;
  }

  /** Takes bytes of the block that was read into a part of an array. */
  public void take(byte[] content, int from, int count) {
    block.get(content, from, count);
  }

  /** Takes bytes of the block that was read. */
  public byte[] takeBytes(int count) {
    byte[] bytes = new byte[count];
    take(bytes, 0, count);
    return bytes;
  }
}
