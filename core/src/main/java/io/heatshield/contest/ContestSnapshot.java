package io.heatshield.contest;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * An immutable copy of a table's entries, and its stored form. Token buckets are not in it: after a
 * restart they are full.
 *
 * <p>The form, version 1; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0     32  head of {@link StoredHead}, kind "HSCONTST"
 *     32      8  window in ns, 10^6 to 366 days
 *     40      4  bits of a bitmap b, 0 for none
 *     44      4  checksum
 * then for each entry:
 *      0  10 + k  key of {@link StoredHead}
 *      ..      8  score as of the last touch, an IEEE 754 double, not negative and finite
 *      ..      8  age of the last touch in ns, not negative
 *      ..      4  share of the score that may be others', an IEEE 754 float, 0 to 1
 *      ..      8  age of the bitmap in ns, not negative, if b is not 0
 *      ..    b/8  the bitmap
 *      ..      4  checksum
 * </pre>
 *
 * {@link SealedBytes} says what a checksum is of. Nothing is said about what follows the last one.
 */
public final class ContestSnapshot {
  static final long KIND = 0x5453544e4f435348L; // "HSCONTST"

  private final long hashFingerprint;
  private final ContestConfig config;
  private final List<Standing> entries;

  ContestSnapshot(long hashFingerprint, ContestConfig config, List<Standing> entries) {
    this.hashFingerprint = hashFingerprint;
    this.config = config;
    this.entries = List.copyOf(entries);
  }

  long hashFingerprint() {
    return hashFingerprint;
  }

  /** Returns the entries, in no order. */
  public List<Standing> entries() {
    return entries;
  }

  /**
   * Writes the stored form, and leaves the stream open.
   *
   * @param epochMillis the wall time at which the snapshot was taken
   */
  public void writeTo(OutputStream out, long epochMillis) throws IOException {
    var bytes = new SealedBytes();
    Cardinality cardinality = config.cardinality();
    int words = cardinality == null ? 0 : cardinality.words();
    StoredHead.put(bytes, new StoredHead(KIND, entries.size(), hashFingerprint, epochMillis));
    bytes.put(config.windowNanos(), Long.BYTES);
    bytes.put(cardinality == null ? 0 : cardinality.bits(), Integer.BYTES);
    bytes.seal(out);
    for (Standing entry : entries) {
      StoredHead.putKey(bytes, entry.hash(), entry.stored());
      bytes.put(Double.doubleToLongBits(entry.scoreAtTouch()), Long.BYTES);
      bytes.put(entry.ageNanos(), Long.BYTES);
      bytes.put(Float.floatToIntBits(entry.doubt()), Float.BYTES);
      long[] state = entry.distinctState();
      for (int i = 0; i < words; i++) {
        bytes.put(state == null ? 0 : state[i], Long.BYTES);
      }
      bytes.seal(out);
    }
  }

  /** Reads a stored snapshot into an empty table, or says why not. */
  static void restore(
      InputStream in, long epochMillis, ContestTableBuilder builder, ContestTable table)
      throws IOException {
    var bytes = new SealedBytes();
    StoredHead head = StoredHead.read(in, bytes, KIND, Long.BYTES + Integer.BYTES);
    long windowNanos = bytes.take(Long.BYTES);
    int bits = (int) bytes.take(Integer.BYTES);
    bytes.checkSeal(in);
    long gap = head.gapNanos(builder.hash().fingerprint(), epochMillis);
    require(
        windowNanos >= 1_000_000 && windowNanos <= ContestTableBuilder.MAX_SPAN.toNanos(),
        "cannot be: a window of " + windowNanos + " ns");
    require(
        bits >= 0 && bits <= Cardinality.MAX_BITS && bits % Long.SIZE == 0,
        "cannot be: a bitmap of " + bits + " bits");
    var decay = new Decay(windowNanos);
    // Read past the slots, the lowest goes: a snapshot takes no more memory than its table.
    var highest = new PriorityQueue<Standing>(Standing.HIGHEST_FIRST.reversed());
    for (int i = 0; i < head.count(); i++) {
      highest.add(entry(in, bytes, bits, gap, decay, builder));
      if (highest.size() > builder.slots()) {
        highest.remove();
      }
    }
    var sorted = new ArrayList<>(highest);
    sorted.sort(Standing.HIGHEST_FIRST);
    require(table.restore(sorted), "cannot be: it has a key twice");
  }

  private static Standing entry(
      InputStream in,
      SealedBytes bytes,
      int bits,
      long gap,
      Decay decay,
      ContestTableBuilder builder)
      throws IOException {
    StoredHead.Key key = StoredHead.readKey(in, bytes);
    int words = bits == 0 ? 0 : 1 + bits / Long.SIZE;
    bytes.more(in, (2 + words) * Long.BYTES + Float.BYTES);
    double score = Double.longBitsToDouble(bytes.take(Long.BYTES));
    long age = bytes.take(Long.BYTES);
    float doubt = Float.intBitsToFloat((int) bytes.take(Float.BYTES));
    long[] state = new long[words];
    for (int i = 0; i < words; i++) {
      state[i] = bytes.take(Long.BYTES);
    }
    bytes.checkSeal(in);
    key.check(builder.hash());
    require(score >= 0 && score <= Double.MAX_VALUE, "cannot be: a score of " + score);
    require(doubt >= 0 && doubt <= 1, "cannot be: a doubt of " + doubt);
    require(age >= 0, "cannot be: a touch in the future");
    require(words == 0 || state[Cardinality.TIME] >= 0, "cannot be: a bitmap from the future");
    if (words > 0) {
      state[Cardinality.TIME] = later(state[Cardinality.TIME], gap);
    }
    return new Standing(
        key.hash,
        key.stored,
        score,
        decay.after(score, later(age, gap)),
        0,
        doubt,
        later(age, gap),
        Distinct.NONE,
        Arrays.stream(state).skip(1).allMatch(word -> word == 0) ? null : state);
  }

  private static long later(long age, long gap) {
    return Math.min(Math.min(age, StoredHead.MOST_NANOS) + gap, StoredHead.MOST_NANOS);
  }
}
