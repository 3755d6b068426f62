package io.heatshield.filter;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An immutable copy of a filter, and its stored form.
 *
 * <p>This is version 3 of the stored form; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0      8  "HSCUCKOO"
 *      8      2  version, 3
 *     10      2  number of tables t, 1 to 32
 *     12      4  zero
 *     16      8  fingerprint of the key hash function
 *     24      8  target false positive rate, an IEEE 754 double above 0 and below 1
 *     32  t x 24  one entry per table, oldest first:
 *         0   1    bits per fingerprint f, 4 to 32
 *         1   1    length of the prefix that determines the offset, 4 to min(12, f)
 *         2   1    slots per bucket b, 1 to 8
 *         3   5    zero
 *         8   8    number of buckets m, even
 *        16   8    fingerprints stored
 *      ..      4  checksum
 * then for each table, in blocks of 8,192 words and one shorter block at the end of each segment
 * of 2^22 buckets:
 *      ..    8 n  words; bucket i of a segment is bits i b f to (i + 1) b f of its words, slot 0
 *                 first; an empty slot is 0; bits after the last bucket are 0
 *      ..      4  checksum
 * </pre>
 *
 * A checksum is the CRC-32C of all bytes of the stream before it, except earlier checksums. Bytes
 * after the last checksum are not read.
 */
final class FilterSnapshot {
  private static final long MAGIC = 0x4f4f4b4355435348L; // "HSCUCKOO"
  private static final int VERSION = 3;
  private static final int MAX_TABLES = 32;

  /** The dimensions, the number of fingerprints and the content of one table. */
  record Table(Geometry geometry, long size, PackedTable packed) {}

  private final long hashFingerprint;
  private final double rate;
  private final List<Table> tables;

  FilterSnapshot(long hashFingerprint, double rate, List<Table> tables) {
    this.hashFingerprint = hashFingerprint;
    this.rate = rate;
    this.tables = List.copyOf(tables);
  }

  /** Copies the tables; the caller must have locked their writers. */
  static FilterSnapshot of(long hashFingerprint, double rate, CuckooTable... tables) {
    var copies = new ArrayList<Table>();
    for (CuckooTable table : tables) {
      copies.add(new Table(table.geometry(), table.size(), table.copyOfFingerprints()));
    }
    return new FilterSnapshot(hashFingerprint, rate, copies);
  }

  /** Reads a stored snapshot; throws if it is invalid or exceeds the budget. */
  static FilterSnapshot read(InputStream in, long hashFingerprint, long maxBytes, int maxEvictions)
      throws IOException {
    return new Reader(in).read(hashFingerprint, maxBytes, maxEvictions);
  }

  /** Writes the stored form block by block; does not close the stream. */
  void writeTo(OutputStream out) throws IOException {
    var bytes = new SealedBytes();
    bytes.put(MAGIC, Long.BYTES);
    bytes.put(VERSION, Short.BYTES);
    bytes.put(tables.size(), Short.BYTES);
    bytes.put(0, Integer.BYTES);
    bytes.put(hashFingerprint, Long.BYTES);
    bytes.put(Double.doubleToLongBits(rate), Long.BYTES);
    for (Table table : tables) {
      bytes.put(table.geometry().bits(), 1);
      bytes.put(table.geometry().pairBits(), 1);
      bytes.put(table.geometry().bucketSize(), 1);
      bytes.put(0, 5);
      bytes.put(table.geometry().buckets(), Long.BYTES);
      bytes.put(table.size(), Long.BYTES);
    }
    bytes.seal(out);
    for (Table table : tables) {
      for (byte[] segment : table.packed().segments()) {
        int length = segment.length - PackedTable.PADDING;
        for (int from = 0; from < length; from += SealedBytes.BLOCK_BYTES) {
          bytes.put(segment, from, Math.min(SealedBytes.BLOCK_BYTES, length - from));
          bytes.seal(out);
        }
      }
    }
  }

  /** Returns tables for one filter, which share this content; to be called at most once. */
  CuckooTable[] tables(int maxEvictions) {
    return tables.stream()
        .map(table -> new CuckooTable(table.geometry(), maxEvictions, table.packed(), table.size()))
        .toArray(CuckooTable[]::new);
  }

  /**
   * Reads the stored form from an untrusted stream.
   *
   * <p>Dimensions are checked before memory is allocated for them. Memory is allocated block by
   * block as content arrives, so a forged header costs no more memory than the bytes that follow
   * it.
   */
  private static final class Reader {
    private static final int HEAD_BYTES = 32;
    private static final int ENTRY_BYTES = 24;

    private record TableHeader(Geometry geometry, long size) {}

    private final InputStream in;
    private final SealedBytes bytes = new SealedBytes();

    Reader(InputStream in) {
      this.in = in;
    }

    FilterSnapshot read(long hashFingerprint, long maxBytes, int maxEvictions) throws IOException {
      bytes.more(in, HEAD_BYTES);
      require(bytes.take(Long.BYTES) == MAGIC, "is not of a cuckoo filter");
      long version = bytes.take(Short.BYTES);
      require(version == VERSION, "has version " + version + ", not " + VERSION);
      int count = (int) bytes.take(Short.BYTES);
      require(count >= 1 && count <= MAX_TABLES, "must have 1 to 32 tables: " + count);
      require(bytes.take(Integer.BYTES) == 0, "has nonzero reserved bytes");
      long hashOfSnapshot = bytes.take(Long.BYTES);
      double rate = Double.longBitsToDouble(bytes.take(Long.BYTES));
      bytes.more(in, count * ENTRY_BYTES);
      var headers = new ArrayList<TableHeader>();
      String fault = null;
      long needed = 0;
      for (int i = 0; i < count; i++) {
        long bits = bytes.take(1);
        long pairBits = bytes.take(1);
        long bucketSize = bytes.take(1);
        boolean paddingIsZero = bytes.take(5) == 0;
        long buckets = bytes.take(Long.BYTES);
        long size = bytes.take(Long.BYTES);
        String invalid =
            paddingIsZero
                ? Geometry.fault(bits, pairBits, bucketSize, buckets)
                : "padding must be zero";
        if (invalid != null) {
          fault = invalid;
          continue;
        }
        var geometry = new Geometry((int) bits, (int) pairBits, (int) bucketSize, buckets);
        needed += CuckooTable.bytes(geometry, maxEvictions);
        headers.add(new TableHeader(geometry, size));
        if (size < 0 || size > geometry.capacity()) {
          fault = "size must be 0 to " + geometry.capacity() + ": " + size;
        }
      }
      bytes.checkSeal(in);
      require(fault == null, "is invalid: " + fault);
      require(rate > 0 && rate < 1, "is invalid: rate must be above 0 and below 1: " + rate);
      require(hashOfSnapshot == hashFingerprint, "was made with another hash function or secret");
      require(needed <= maxBytes, "needs " + needed + " bytes, maxBytes is " + maxBytes);
      return new FilterSnapshot(hashOfSnapshot, rate, tables(headers));
    }

    private List<Table> tables(List<TableHeader> headers) throws IOException {
      var tables = new ArrayList<Table>();
      for (TableHeader header : headers) {
        int[] lengths = PackedTable.segmentBytes(header.geometry());
        var segments = new ArrayList<byte[]>();
        for (int length : lengths) {
          segments.add(segment(length));
        }
        var packed = new PackedTable(header.geometry(), segments.toArray(byte[][]::new));
        requireValid(header, packed);
        tables.add(new Table(header.geometry(), header.size(), packed));
      }
      return tables;
    }

    /** Reads a segment into an array that doubles as content arrives. */
    private byte[] segment(int length) throws IOException {
      byte[] content = new byte[Math.min(length, SealedBytes.BLOCK_BYTES)];
      for (int from = 0; from < length; from += SealedBytes.BLOCK_BYTES) {
        int count = Math.min(SealedBytes.BLOCK_BYTES, length - from);
        bytes.more(in, count);
        if (from + count > content.length) {
          content = Arrays.copyOf(content, Math.min(length, 2 * content.length));
        }
        bytes.take(content, from, count);
        bytes.checkSeal(in);
      }
      return Arrays.copyOf(content, length + PackedTable.PADDING);
    }

    /** Checks the number of fingerprints, and that all bits after the last bucket are 0. */
    private static void requireValid(TableHeader header, PackedTable packed)
        throws InvalidSnapshotException {
      Geometry geometry = header.geometry();
      long stored = 0;
      for (long bucket = 0; bucket < geometry.buckets(); bucket++) {
        stored += geometry.bucketSize() - packed.count(bucket, 0);
      }
      require(
          stored == header.size(),
          "holds " + stored + " fingerprints, but its header states " + header.size());
      byte[] last = packed.segments()[packed.segments().length - 1];
      long used =
          (geometry.buckets() & ((1L << PackedTable.SEGMENT_SHIFT) - 1)) * geometry.bucketBits();
      boolean bitsAfterEnd = false;
      for (long bit = used; used > 0 && bit < last.length * (long) Byte.SIZE; bit++) {
        bitsAfterEnd |= (last[(int) (bit >>> 3)] >>> (bit & 7) & 1) != 0;
      }
      require(!bitsAfterEnd, "has bits set after the last bucket");
    }
  }
}
