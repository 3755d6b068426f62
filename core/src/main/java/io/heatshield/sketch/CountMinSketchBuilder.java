package io.heatshield.sketch;

import io.heatshield.count.Rows;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;

/**
 * Builds a {@link CountMinSketch}, or restores one that was written. By default it has 4 rows of
 * 1,024 counters. All invalid settings are reported at once. Not thread-safe.
 *
 * <p>The row length follows from one of {@link #relativeError}, {@link #width} and {@link
 * #maxBytes}, the number of rows from {@link #confidence} or {@link #depth}.
 */
public final class CountMinSketchBuilder {
  private static final int DEFAULT_WIDTH = 1024;
  private static final int DEFAULT_DEPTH = 4;
  private static final int MAX_DEFAULT_STRIPES = 8;

  /** The value of a number that was not set. */
  private static final long UNSET = Long.MIN_VALUE;

  private KeyHash hash = KeyHash.fast(HashSecret.random());
  private double relativeError = Double.NaN;
  private double confidence = Double.NaN;
  private boolean hasError;
  private boolean hasConfidence;
  private long width = UNSET;
  private long depth = UNSET;
  private long maxBytes = UNSET;
  private int counterBits = Integer.SIZE;
  private long stripes = UNSET;
  private boolean singleWriter;

  CountMinSketchBuilder() {}

  /**
   * Sets the secret of the hash function of keys; a random one by default. A sketch that is written
   * and restored, or merged, needs the same secret both times.
   */
  public CountMinSketchBuilder secret(HashSecret secret) {
    hash = KeyHash.fast(Objects.requireNonNull(secret, "secret"));
    return this;
  }

  /**
   * Sets the part of all touches by which an estimate may be too high, with the {@link
   * #confidence}: 0.001 is one in a thousand.
   */
  public CountMinSketchBuilder relativeError(double part) {
    relativeError = part;
    hasError = true;
    return this;
  }

  /** Sets the least probability that the error of a key is within its bound, for example 0.99. */
  public CountMinSketchBuilder confidence(double probability) {
    confidence = probability;
    hasConfidence = true;
    return this;
  }

  /** Sets the counters in a row: the relative error is e / width. */
  public CountMinSketchBuilder width(int counters) {
    width = counters;
    return this;
  }

  /** Sets the rows, 1 to 16: the confidence is 1 - exp(-depth). */
  public CountMinSketchBuilder depth(int rows) {
    depth = rows;
    return this;
  }

  /** Sets the most bytes of the sketch, from which the row length follows. */
  public CountMinSketchBuilder maxBytes(long bytes) {
    maxBytes = bytes;
    return this;
  }

  /** Sets the size of a counter: 32 or 64 bits; 32 by default. */
  public CountMinSketchBuilder counterBits(int bits) {
    counterBits = bits;
    return this;
  }

  /**
   * Sets how many threads can count concurrently, a power of two up to 64; each stripe has the
   * memory of a whole sketch. By default as many as processors, at most 8.
   */
  public CountMinSketchBuilder stripes(int count) {
    stripes = count;
    return this;
  }

  /**
   * Leaves out the lock: the caller ensures that one thread at a time changes the sketch. Any
   * thread may still read it. It has one stripe.
   */
  public CountMinSketchBuilder singleWriter() {
    singleWriter = true;
    return this;
  }

  /**
   * Returns a new sketch.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public CountMinSketch build() {
    SketchShape shape = shape();
    return new CountMinSketch(hash, shape, new SketchStripes(shape));
  }

  /**
   * Returns the sketch that {@link CountMinSketch#writeTo} wrote, with this builder's secret;
   * dimensions and counts are those of the written sketch. Memory is allocated only as content
   * arrives. Does not close the stream.
   *
   * @throws InvalidSnapshotException if the bytes are incomplete, were changed, are no sketch, are
   *     of another secret, or need more than {@link #maxBytes}
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public CountMinSketch restore(InputStream in) throws IOException {
    Objects.requireNonNull(in, "in");
    var faults = new Faults();
    checkEachNumber(faults);
    faults.throwIfAny();
    long budget = maxBytes == UNSET ? Long.MAX_VALUE : maxBytes;
    return SketchSnapshot.read(in, hash, budget);
  }

  private SketchShape shape() {
    var faults = new Faults();
    checkEachNumber(faults);
    checkCombinations(faults);
    faults.throwIfAny();
    int count = singleWriter ? 1 : stripes == UNSET ? defaultStripes() : (int) stripes;
    int rows = rows();
    long length = rowLength(count, rows, faults);
    faults.check(
        length <= SketchShape.MAX_CELLS / rows,
        "width x depth must be at most " + SketchShape.MAX_CELLS,
        String.format(
            Locale.ROOT,
            "%d x %d, %.0f bytes per stripe",
            length,
            rows,
            (double) length * rows * counterBits / Byte.SIZE));
    faults.throwIfAny();
    return new SketchShape((int) length, rows, counterBits, count, singleWriter);
  }

  private void checkEachNumber(Faults faults) {
    if (hasError) {
      boolean valid = relativeError > 0 && relativeError < 1;
      faults.check(valid, "relativeError must be above 0 and below 1", relativeError);
    }
    if (hasConfidence) {
      boolean valid = confidence > 0 && rowsFor(confidence) <= Rows.MAX_DEPTH;
      double most = 1 - Math.exp(-Rows.MAX_DEPTH);
      faults.check(valid, "confidence must be above 0 and at most " + most, confidence);
    }
    faults.check(width == UNSET || width >= 1, "width must be at least 1", width);
    boolean deep = depth == UNSET || (depth >= 1 && depth <= Rows.MAX_DEPTH);
    faults.check(deep, "depth must be 1 to " + Rows.MAX_DEPTH, depth);
    faults.check(maxBytes == UNSET || maxBytes >= 1, "maxBytes must be positive", maxBytes);
    boolean sized = counterBits == Integer.SIZE || counterBits == Long.SIZE;
    faults.check(sized, "counterBits must be 32 or 64", counterBits);
    boolean striped =
        stripes >= 1 && stripes <= SketchShape.MAX_STRIPES && Long.bitCount(stripes) == 1;
    faults.check(
        stripes == UNSET || striped,
        "stripes must be a power of two from 1 to " + SketchShape.MAX_STRIPES,
        stripes);
  }

  private void checkCombinations(Faults faults) {
    int lengths = (hasError ? 1 : 0) + (width == UNSET ? 0 : 1) + (maxBytes == UNSET ? 0 : 1);
    if (lengths > 1) {
      faults.add("relativeError, width and maxBytes must not be combined: set one of them");
    }
    if (hasConfidence && depth != UNSET) {
      faults.add("confidence and depth must not be combined: set one of them");
    }
    faults.check(!singleWriter || stripes <= 1, "stripes must be 1 with a single writer", stripes);
  }

  private int rows() {
    return hasConfidence ? rowsFor(confidence) : depth == UNSET ? DEFAULT_DEPTH : (int) depth;
  }

  private static int rowsFor(double confidence) {
    double rows = Math.ceil(-Math.log1p(-confidence));
    return rows > Rows.MAX_DEPTH || Double.isNaN(rows)
        ? Integer.MAX_VALUE
        : Math.max(1, (int) rows);
  }

  /** Returns the counters in a row; adds a fault if the memory does not suffice for one. */
  private long rowLength(int count, int rows, Faults faults) {
    if (hasError) {
      return (long) Math.ceil(Math.E / relativeError);
    }
    if (maxBytes == UNSET) {
      return width == UNSET ? DEFAULT_WIDTH : width;
    }
    long column = (long) rows * (counterBits / Byte.SIZE);
    long length = (maxBytes / count - SketchStripe.STATE_BYTES) / column;
    long least = count * (column + SketchStripe.STATE_BYTES);
    String shape = " for " + count + " stripes of " + rows + " rows";
    faults.check(length >= 1, "maxBytes must be at least " + least + shape, maxBytes);
    return length;
  }

  private static int defaultStripes() {
    int processors = Math.min(MAX_DEFAULT_STRIPES, Runtime.getRuntime().availableProcessors());
    return Integer.highestOneBit(2 * processors - 1);
  }
}
