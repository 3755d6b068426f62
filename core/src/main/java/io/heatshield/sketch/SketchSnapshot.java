package io.heatshield.sketch;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.count.Rows;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;

/**
 * The stored form of a sketch.
 *
 * <p>This is version 2; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0      8  "HSSKETCH"
 *      8      2  version, 2
 *     10      1  single writer, 0 or 1
 *     11      1  bits per counter, 32 or 64
 *     12      2  rows, 1 to 16
 *     14      2  stripes, a power of two up to 64
 *     16      4  counters per row
 *     20      4  stripe that is being halved or is next
 *     24      8  fingerprint of the key hash function
 *     32      4  checksum
 * then for each stripe:
 *      0      8  total
 *      8      8  total at the beginning of its halving
 *     16      4  next counter to halve, or -1
 *     20      4  flags
 *     24      4  checksum
 *     ..         the counters, row by row, in blocks of 8,192 and a shorter one at the end, each
 *                followed by a checksum of 4 bytes
 * </pre>
 *
 * A checksum is the CRC-32C of all bytes of the stream before it, except earlier checksums. Bytes
 * after the last checksum are not read.
 */
final class SketchSnapshot {
  private static final long MAGIC = 0x48435445_4b535348L; // "HSSKETCH"
  private static final int VERSION = 2;
  private static final int HEAD_BYTES = 32;
  private static final int STRIPE_BYTES = 24;
  private static final int BLOCK_CELLS = SealedBytes.BLOCK_BYTES / Long.BYTES;
  private static final int KNOWN_FLAGS = 3;

  private SketchSnapshot() {}

  /** Writes stripes that do not change; does not close the stream. */
  static void write(OutputStream out, SketchShape shape, long fingerprint, SketchStripes stripes)
      throws IOException {
    var bytes = new SealedBytes();
    bytes.put(MAGIC, Long.BYTES);
    bytes.put(VERSION, Short.BYTES);
    bytes.put(shape.singleWriter() ? 1 : 0, 1);
    bytes.put(shape.counterBits(), 1);
    bytes.put(shape.depth(), Short.BYTES);
    bytes.put(shape.stripes(), Short.BYTES);
    bytes.put(shape.width(), Integer.BYTES);
    bytes.put(stripes.halving(), Integer.BYTES);
    bytes.put(fingerprint, Long.BYTES);
    bytes.seal(out);
    for (int i = 0; i < shape.stripes(); i++) {
      write(out, bytes, stripes.get(i), shape.counterBytes());
    }
  }

  private static void write(
      OutputStream out, SealedBytes bytes, SketchStripe stripe, int counterBytes)
      throws IOException {
    boolean atRest = stripe.sweep() == SketchStripe.AT_REST;
    bytes.put(stripe.total(), Long.BYTES);
    bytes.put(atRest ? 0 : stripe.totalAtSweep(), Long.BYTES);
    bytes.put(stripe.sweep(), Integer.BYTES);
    bytes.put(stripe.flags(), Integer.BYTES);
    bytes.seal(out);
    int length = stripe.length();
    int count;
    for (int from = 0; from < length; from += count) {
      count = Math.min(BLOCK_CELLS, length - from);
      for (int i = from; i < from + count; i++) {
        bytes.put(stripe.cell(i), counterBytes);
      }
      bytes.seal(out);
    }
  }

  /** Reads a stored sketch; throws if it is invalid or exceeds the budget. */
  static CountMinSketch read(InputStream in, KeyHash hash, long maxBytes) throws IOException {
    return new Reader(in).read(hash, maxBytes);
  }

  /**
   * Reads the stored form from an untrusted stream.
   *
   * <p>Dimensions are checked before memory is allocated for them. Memory is allocated block by
   * block as counters arrive, so a forged header costs no more memory than twice the bytes that
   * follow it.
   */
  private static final class Reader {
    private final InputStream in;
    private final SealedBytes bytes = new SealedBytes();

    Reader(InputStream in) {
      this.in = in;
    }

    CountMinSketch read(KeyHash hash, long maxBytes) throws IOException {
      bytes.more(in, HEAD_BYTES);
      require(bytes.take(Long.BYTES) == MAGIC, "is not a sketch");
      long version = bytes.take(Short.BYTES);
      require(version == VERSION, "has version " + version + ", not " + VERSION);
      long singleWriter = bytes.take(1);
      long counterBits = bytes.take(1);
      long depth = bytes.take(Short.BYTES);
      long count = bytes.take(Short.BYTES);
      long width = bytes.take(Integer.BYTES);
      long halving = bytes.take(Integer.BYTES);
      long fingerprint = bytes.take(Long.BYTES);
      bytes.checkSeal(in);
      require(
          fingerprint == hash.fingerprint(), "is of another hash function or secret of its keys");
      requireDimensions(singleWriter, counterBits, depth, count, width);
      require(halving < count, "has an invalid state: halving of stripe " + halving);
      var shape =
          new SketchShape(
              (int) width, (int) depth, (int) counterBits, (int) count, singleWriter == 1);
      require(
          shape.bytes() <= maxBytes,
          "needs " + shape.bytes() + " bytes of memory, the budget is " + maxBytes);
      var read = new SketchStripe[shape.stripes()];
      for (int i = 0; i < read.length; i++) {
        read[i] = stripe(shape);
      }
      var stripes = new SketchStripes(!shape.singleWriter(), read, (int) halving);
      return new CountMinSketch(hash, shape, stripes);
    }

    private static void requireDimensions(
        long singleWriter, long counterBits, long depth, long stripes, long width)
        throws IOException {
      boolean valid =
          singleWriter <= 1
              && (counterBits == Integer.SIZE || counterBits == Long.SIZE)
              && depth >= 1
              && depth <= Rows.MAX_DEPTH
              && width >= 1
              && width <= SketchShape.MAX_CELLS / depth
              && stripes <= (singleWriter == 1 ? 1 : SketchShape.MAX_STRIPES)
              && Long.bitCount(stripes) == 1;
      String found =
          String.format(
              Locale.ROOT, "%d x %d of %d bits, %d stripes", width, depth, counterBits, stripes);
      require(valid, "has invalid dimensions: " + found);
    }

    private SketchStripe stripe(SketchShape shape) throws IOException {
      bytes.more(in, STRIPE_BYTES);
      long total = bytes.take(Long.BYTES);
      long totalAtSweep = bytes.take(Long.BYTES);
      int sweep = (int) bytes.take(Integer.BYTES);
      int flags = (int) bytes.take(Integer.BYTES);
      bytes.checkSeal(in);
      boolean valid =
          total >= 0
              && totalAtSweep >= 0
              && totalAtSweep <= total
              && sweep >= SketchStripe.AT_REST
              && sweep < shape.cells()
              && (flags & ~KNOWN_FLAGS) == 0;
      require(valid, "has a stripe in an invalid state");
      SketchStripe stripe = cells(shape);
      stripe.restore(total, flags, sweep, totalAtSweep);
      return stripe;
    }

    private SketchStripe cells(SketchShape shape) throws IOException {
      int length = shape.cells();
      SketchStripe stripe = shape.newStripe(Math.min(length, BLOCK_CELLS));
      int count;
      for (int from = 0; from < length; from += count) {
        count = Math.min(BLOCK_CELLS, length - from);
        bytes.more(in, count * shape.counterBytes());
        if (from + count > stripe.length()) {
          stripe = stripe.copy((int) Math.min(length, 2L * stripe.length()));
        }
        for (int i = from; i < from + count; i++) {
          long value = bytes.take(shape.counterBytes());
          require(value >= 0, "has a negative counter");
          stripe.setCell(i, value);
        }
        bytes.checkSeal(in);
      }
      return stripe;
    }
  }
}
