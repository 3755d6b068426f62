package io.heatshield.filter;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the stored form that {@link FilterSnapshot} describes from an untrusted stream.
 *
 * <p>Dimensions are checked before memory is allocated for them. Memory is allocated block by block
 * as content arrives, so a forged header costs no more memory than the bytes that follow it.
 */
final class SnapshotReader {
  private static final int HEAD_BYTES = 32;
  private static final int ENTRY_BYTES = 24;

  private record TableHeader(Geometry geometry, long size) {}

  private final InputStream in;
  private final SealedBytes bytes = new SealedBytes();

  SnapshotReader(InputStream in) {
    this.in = in;
  }

  FilterSnapshot read(long hashFingerprint, long budgetBytes, int maxEvictions) throws IOException {
    bytes.more(in, HEAD_BYTES);
    require(bytes.take(Long.BYTES) == FilterSnapshot.MAGIC, "is not of a cuckoo filter");
    long version = bytes.take(Short.BYTES);
    require(
        version == FilterSnapshot.VERSION,
        "has version " + version + ", not " + FilterSnapshot.VERSION);
    int count = (int) bytes.take(Short.BYTES);
    require(count >= 1 && count <= FilterSnapshot.MAX_TABLES, "must have 1 to 32 tables: " + count);
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
    require(needed <= budgetBytes, "needs " + needed + " bytes, the budget is " + budgetBytes);
    return new FilterSnapshot(hashOfSnapshot, rate, tables(headers));
  }

  private List<FilterSnapshot.Table> tables(List<TableHeader> headers) throws IOException {
    var tables = new ArrayList<FilterSnapshot.Table>();
    for (TableHeader header : headers) {
      int[] lengths = PackedTable.segmentBytes(header.geometry());
      var segments = new ArrayList<byte[]>();
      for (int length : lengths) {
        segments.add(segment(length));
      }
      var packed = new PackedTable(header.geometry(), segments.toArray(byte[][]::new));
      requireValid(header, packed);
      tables.add(new FilterSnapshot.Table(header.geometry(), header.size(), packed));
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
