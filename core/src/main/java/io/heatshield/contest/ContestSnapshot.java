package io.heatshield.contest;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * An immutable copy of a table's entries, and its stored form. It does not include token buckets:
 * they are full in a table that is loaded.
 *
 * <p>The stored form, version 1; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0     32  header, see {@link SnapshotHeader}, kind "HSCONTST"
 *     32      8  window in ns, 10^6 to 366 days
 *     40      4  bits b of a bitmap, 0 if there are none
 *     44      4  checksum
 * then for each entry:
 *      0  10 + k  key, see {@link SnapshotHeader}
 *      ..      8  score at the last touch, an IEEE 754 double, not negative and finite
 *      ..      8  age of the last touch in ns, not negative
 *      ..      4  share of the score that may be from other keys, an IEEE 754 float, 0 to 1
 *      ..      8  age of the bitmap in ns, not negative, if b is not 0
 *      ..    b/8  the bitmap
 *      ..      4  checksum
 * </pre>
 *
 * {@link SealedBytes} defines the checksums. Bytes after the last checksum are not read.
 */
final class ContestSnapshot {
  static final long KIND = 0x5453544e4f435348L; // "HSCONTST"

  private final long hashFingerprint;
  private final ContestConfig config;
  private final List<KeyScore> entries;

  ContestSnapshot(long hashFingerprint, ContestConfig config, List<KeyScore> entries) {
    this.hashFingerprint = hashFingerprint;
    this.config = config;
    this.entries = List.copyOf(entries);
  }

  long hashFingerprint() {
    return hashFingerprint;
  }

  /** Returns the entries, in no particular order. */
  List<KeyScore> entries() {
    return entries;
  }

  /**
   * Writes the stored form; does not close the stream.
   *
   * @param epochMillis the wall time of the snapshot
   */
  void writeTo(OutputStream out, long epochMillis) throws IOException {
    var bytes = new SealedBytes();
    DistinctSettings distinct = config.distinct();
    int words = distinct == null ? 0 : distinct.words();
    new SnapshotHeader(KIND, entries.size(), hashFingerprint, epochMillis).write(bytes);
    bytes.put(config.windowNanos(), Long.BYTES);
    bytes.put(distinct == null ? 0 : distinct.bits(), Integer.BYTES);
    bytes.seal(out);
    for (KeyScore entry : entries) {
      SnapshotHeader.writeKey(bytes, entry.hash(), entry.stored());
      bytes.put(Double.doubleToLongBits(entry.scoreAtTouch()), Long.BYTES);
      bytes.put(entry.ageNanos(), Long.BYTES);
      bytes.put(Float.floatToIntBits(entry.errorShare()), Float.BYTES);
      long[] state = entry.distinctState();
      for (int i = 0; i < words; i++) {
        bytes.put(state == null ? 0 : state[i], Long.BYTES);
      }
      bytes.seal(out);
    }
  }

  /** Reads a stored snapshot into an empty table. */
  static void restore(InputStream in, long epochMillis, ContestTable table) throws IOException {
    var bytes = new SealedBytes();
    SnapshotHeader header = SnapshotHeader.read(in, bytes, KIND, Long.BYTES + Integer.BYTES);
    long windowNanos = bytes.take(Long.BYTES);
    int bits = (int) bytes.take(Integer.BYTES);
    bytes.checkSeal(in);
    long gap = header.ageNanos(table.hash().fingerprint(), epochMillis);
    require(
        windowNanos >= 1_000_000 && windowNanos <= HeavyHittersBuilder.MAX_SPAN.toNanos(),
        "has an invalid window: " + windowNanos + " ns");
    require(
        bits >= 0 && bits <= DistinctSettings.MAX_BITS && bits % Long.SIZE == 0,
        "has an invalid bitmap size: " + bits + " bits");
    var decay = new Decay(windowNanos);
    // Entries beyond the slots are dropped while reading, the lowest first, so a large snapshot
    // takes no more memory than the table.
    var highest = new PriorityQueue<KeyScore>(KeyScore.HIGHEST_FIRST.reversed());
    for (int i = 0; i < header.count(); i++) {
      highest.add(readEntry(in, bytes, bits, gap, decay, table.hash()));
      if (highest.size() > table.capacity()) {
        highest.remove();
      }
    }
    var sorted = new ArrayList<>(highest);
    sorted.sort(KeyScore.HIGHEST_FIRST);
    require(table.restore(sorted), "has a key twice");
  }

  private static KeyScore readEntry(
      InputStream in, SealedBytes bytes, int bits, long gap, Decay decay, KeyHash hash)
      throws IOException {
    SnapshotHeader.Key key = SnapshotHeader.readKey(in, bytes);
    int words = bits == 0 ? 0 : 1 + bits / Long.SIZE;
    bytes.more(in, (2 + words) * Long.BYTES + Float.BYTES);
    double score = Double.longBitsToDouble(bytes.take(Long.BYTES));
    long age = bytes.take(Long.BYTES);
    float errorShare = Float.intBitsToFloat((int) bytes.take(Float.BYTES));
    long[] state = new long[words];
    for (int i = 0; i < words; i++) {
      state[i] = bytes.take(Long.BYTES);
    }
    bytes.checkSeal(in);
    key.verify(hash);
    require(score >= 0 && score <= Double.MAX_VALUE, "has an invalid score: " + score);
    require(errorShare >= 0 && errorShare <= 1, "has an invalid error share: " + errorShare);
    require(age >= 0, "has a touch in the future");
    require(words == 0 || state[DistinctSettings.TIME] >= 0, "has a bitmap from the future");
    if (words > 0) {
      state[DistinctSettings.TIME] = agedBy(state[DistinctSettings.TIME], gap);
    }
    return new KeyScore(
        key.hash,
        key.stored,
        score,
        decay.after(score, agedBy(age, gap)),
        0,
        errorShare,
        agedBy(age, gap),
        DistinctEstimate.NONE,
        Arrays.stream(state).skip(1).allMatch(word -> word == 0) ? null : state);
  }

  /** Returns an age after a gap. */
  private static long agedBy(long age, long gap) {
    return Math.min(Math.min(age, SnapshotHeader.MAX_NANOS) + gap, SnapshotHeader.MAX_NANOS);
  }
}
