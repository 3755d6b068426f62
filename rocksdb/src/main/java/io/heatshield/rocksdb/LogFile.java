package io.heatshield.rocksdb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Reads RocksDB's write-ahead logs and manifests, to distinguish a torn tail from damage.
 *
 * <p>A file is a sequence of blocks of 32 KiB. A record has a header of seven bytes (masked CRC-32C
 * of type and payload, length of the payload, type) and never crosses a block; fewer than seven
 * bytes at the end of a block are padding. Logs are never recycled here, which would make the
 * header longer.
 */
final class LogFile {
  /*
   * A process that is killed while it appends leaves a file that ends inside a record. A damaged
   * length can make an intact record look like that, and RocksDB then drops it and all following
   * records without an error. So a record that the end of the file cuts off counts as torn only if
   * no shorter length matches its checksum and no intact record follows it. Every other fault is
   * damage. Pinned by LogFileTest for every single bit.
   */
  static final int BLOCK = 32 * 1024;
  static final int HEADER = 7;

  private static final byte FULL = 1;
  private static final byte FIRST = 2;
  private static final byte MIDDLE = 3;
  private static final byte LAST = 4;
  private static final int MASK_DELTA = 0xa282ead8;

  private LogFile() {}

  /**
   * The state of a log.
   *
   * @param intactRecords the number of records with a correct checksum
   * @param torn whether the file ends inside a record, as after a crash
   * @param damagedAt the offset of the first damage, or -1
   * @param droppedBytes the number of bytes that a reader skips because of damage or a torn tail
   */
  record State(long intactRecords, boolean torn, long damagedAt, long droppedBytes) {
    boolean isDamaged() {
      return damagedAt >= 0;
    }
  }

  /** Reads a whole log; after damage it continues with the next block, as RocksDB does. */
  static State check(Path file) throws IOException {
    long records = 0;
    boolean torn = false;
    long damagedAt = -1;
    long dropped = 0;
    byte[] bytes = new byte[BLOCK];
    try (InputStream in = Files.newInputStream(file)) {
      long start = 0;
      int length = in.readNBytes(bytes, 0, BLOCK);
      while (length > 0) {
        var block = new Block(bytes, length);
        block.read();
        records += block.records;
        torn |= block.torn;
        dropped += length - block.end;
        if (block.damaged && damagedAt < 0) {
          damagedAt = start + block.end;
        }
        start += length;
        length = in.readNBytes(bytes, 0, BLOCK);
      }
    }
    return new State(records, torn, damagedAt, dropped);
  }

  /** Appends one record to a log that ends with an intact one. */
  static void append(Path file, byte[] payload) throws IOException {
    var out = new ByteArrayOutputStream();
    long at = Files.size(file);
    int from = 0;
    while (from == 0 || from < payload.length) {
      int left = BLOCK - (int) (at % BLOCK);
      if (left < HEADER) {
        out.write(new byte[left]);
        at += left;
        left = BLOCK;
      }
      int length = Math.min(left - HEADER, payload.length - from);
      boolean ends = from + length == payload.length;
      byte type = from == 0 ? (ends ? FULL : FIRST) : (ends ? LAST : MIDDLE);
      ByteBuffer record = ByteBuffer.allocate(HEADER + length).order(ByteOrder.LITTLE_ENDIAN);
      record.putShort(4, (short) length).put(6, type).put(HEADER, payload, from, length);
      record.putInt(0, masked(record.array(), 6, length + 1));
      out.write(record.array());
      at += HEADER + length;
      from += length;
    }
    Files.write(file, out.toByteArray(), StandardOpenOption.APPEND);
  }

  private static int masked(byte[] bytes, int from, int length) {
    var crc = new CRC32C();
    crc.update(bytes, from, length);
    return mask(crc);
  }

  private static int mask(CRC32C crc) {
    int value = (int) crc.getValue();
    return Integer.rotateRight(value, 15) + MASK_DELTA;
  }

  /** One block. */
  private static final class Block {
    private final byte[] bytes;
    private final int length;
    private final ByteBuffer view;
    long records;
    boolean torn;
    boolean damaged;

    /** The end of the intact records. */
    int end;

    Block(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
      this.view = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    void read() {
      while (end < length) {
        if (BLOCK - end < HEADER) {
          end = length;
        } else if (fits(end)) {
          records++;
          end += HEADER + payload(end);
        } else {
          torn = isTorn();
          damaged = !torn;
          return;
        }
      }
    }

    private boolean isTorn() {
      if (isZeroFrom(end)) {
        return true;
      }
      if (length - end < HEADER) {
        return length < BLOCK;
      }
      boolean cutOff = end + HEADER + payload(end) > length;
      boolean possible = end + HEADER + payload(end) <= BLOCK;
      return cutOff && possible && !fitsShorter() && !isFollowed();
    }

    private boolean isZeroFrom(int from) {
      for (int i = from; i < length; i++) {
        if (bytes[i] != 0) {
          return false;
        }
      }
      return true;
    }

    private boolean fits(int at) {
      if (length - at < HEADER || bytes[at + 6] == 0) {
        return false;
      }
      int whole = HEADER + payload(at);
      return at + whole <= length && masked(bytes, at + 6, whole - 6) == view.getInt(at);
    }

    /** Returns whether the last record is intact with a shorter length than it states. */
    private boolean fitsShorter() {
      var crc = new CRC32C();
      for (int i = end + 6; i < length; i++) {
        crc.update(bytes[i]);
        if (i >= end + HEADER && mask(crc) == view.getInt(end)) {
          return true;
        }
      }
      return false;
    }

    private boolean isFollowed() {
      for (int at = end + 1; at + HEADER <= length; at++) {
        if (bytes[at + 6] >= FULL && bytes[at + 6] <= LAST && payload(at) > 0 && fits(at)) {
          return true;
        }
      }
      return false;
    }

    private int payload(int at) {
      return Short.toUnsignedInt(view.getShort(at + 4));
    }
  }
}
