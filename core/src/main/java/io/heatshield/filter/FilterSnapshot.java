package io.heatshield.filter;

import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
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
public final class FilterSnapshot {
  static final long MAGIC = 0x4f4f4b4355435348L; // "HSCUCKOO"
  static final int VERSION = 3;
  static final int MAX_TABLES = 32;

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
  static FilterSnapshot read(
      InputStream in, long hashFingerprint, long budgetBytes, int maxEvictions) throws IOException {
    return new SnapshotReader(in).read(hashFingerprint, budgetBytes, maxEvictions);
  }

  /** Writes the stored form block by block; does not close the stream. */
  public void writeTo(OutputStream out) throws IOException {
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
}
