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
 * Reads the stored form that {@link FilterSnapshot} describes, and believes nothing.
 *
 * <p>Dimensions are checked before anything is allocated for them, and memory is taken block by
 * block as content arrives: a header that lies about its size costs no more than the bytes that
 * follow it.
 */
final class SnapshotReader {
  private static final int HEAD_BYTES = 32;
  private static final int ENTRY_BYTES = 24;

  private record Header(Geometry geometry, long size) {}

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
    require(
        count >= 1 && count <= FilterSnapshot.MOST_TABLES, "must have 1 to 32 tables: " + count);
    require(bytes.take(Integer.BYTES) == 0, "has bytes set that must be zero");
    long madeUnder = bytes.take(Long.BYTES);
    double rate = Double.longBitsToDouble(bytes.take(Long.BYTES));
    bytes.more(in, count * ENTRY_BYTES);
    var headers = new ArrayList<Header>();
    String fault = null;
    long needed = 0;
    for (int i = 0; i < count; i++) {
      long bits = bytes.take(1);
      long pairBits = bytes.take(1);
      long bucketSize = bytes.take(1);
      boolean zero = bytes.take(5) == 0;
      long buckets = bytes.take(Long.BYTES);
      long size = bytes.take(Long.BYTES);
      String wrong = zero ? Geometry.fault(bits, pairBits, bucketSize, buckets) : "padding is set";
      if (wrong != null) {
        fault = wrong;
        continue;
      }
      var geometry = new Geometry((int) bits, (int) pairBits, (int) bucketSize, buckets);
      needed += CuckooTable.bytes(geometry, maxEvictions);
      headers.add(new Header(geometry, size));
      if (size < 0 || size > geometry.capacity()) {
        fault = "size must be 0 to " + geometry.capacity() + ": " + size;
      }
    }
    bytes.checkSeal(in);
    require(fault == null, "cannot be: " + fault);
    require(rate > 0 && rate < 1, "cannot be: rate must be above 0 and below 1: " + rate);
    require(madeUnder == hashFingerprint, "was made under another hash function or secret");
    require(needed <= budgetBytes, "needs " + needed + " bytes, the budget is " + budgetBytes);
    return new FilterSnapshot(madeUnder, rate, tables(headers));
  }

  private List<FilterSnapshot.Table> tables(List<Header> headers) throws IOException {
    var tables = new ArrayList<FilterSnapshot.Table>();
    for (Header header : headers) {
      int[] lengths = PackedTable.segmentBytes(header.geometry());
      var segments = new ArrayList<byte[]>();
      for (int length : lengths) {
        segments.add(segment(length));
      }
      var packed = new PackedTable(header.geometry(), segments.toArray(byte[][]::new));
      requireContent(header, packed);
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
    return Arrays.copyOf(content, length + PackedTable.SPARE);
  }

  private static void requireContent(Header header, PackedTable packed)
      throws InvalidSnapshotException {
    Geometry geometry = header.geometry();
    long taken = 0;
    for (long bucket = 0; bucket < geometry.buckets(); bucket++) {
      taken += geometry.bucketSize() - packed.count(bucket, 0);
    }
    require(taken == header.size(), "holds " + taken + " fingerprints and says " + header.size());
    byte[] last = packed.segments()[packed.segments().length - 1];
    long used =
        (geometry.buckets() & ((1L << PackedTable.SEGMENT_SHIFT) - 1)) * geometry.bucketBits();
    boolean loose = false;
    for (long bit = used; used > 0 && bit < last.length * (long) Byte.SIZE; bit++) {
      loose |= (last[(int) (bit >>> 3)] >>> (bit & 7) & 1) != 0;
    }
    require(!loose, "has bits set after the last bucket");
  }
}
