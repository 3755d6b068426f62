package io.heatshield.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Builds a {@link CountMinSketch}; {@link #build} reports all invalid settings together.
 *
 * <p>The dimensions are set by one of {@link #dimensions}, {@link #memory} and {@link #error}.
 */
public final class SketchBuilder {
  private static final int DEFAULT_WIDTH = 1024;
  private static final int DEFAULT_DEPTH = 4;
  private static final int MAX_DEFAULT_STRIPES = 8;

  private final List<String> dimensionSetters = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private long width = DEFAULT_WIDTH;
  private int depth = DEFAULT_DEPTH;
  private long memory;
  private int counterBits = Integer.SIZE;
  private int stripes;
  private boolean singleWriter;
  private Update update = Update.CONSERVATIVE;

  SketchBuilder() {}

  /** Sets the counters per row and the rows of each stripe. */
  public SketchBuilder dimensions(int width, int depth) {
    dimensionSetters.add("dimensions");
    this.width = width;
    this.depth = depth;
    return this;
  }

  /** Sets the most bytes of all stripes together, and the number of rows. */
  public SketchBuilder memory(long bytes, int depth) {
    dimensionSetters.add("memory");
    this.memory = bytes;
    this.depth = depth;
    if (bytes < 1) {
      faults.add("memory must be at least 1 byte: " + bytes);
    }
    return this;
  }

  /**
   * Sets the error: more than {@code epsilon} of all touches with a probability of at most {@code
   * delta}.
   */
  public SketchBuilder error(double epsilon, double delta) {
    dimensionSetters.add("error");
    if (epsilon > 0 && epsilon < 1) {
      this.width = (long) Math.ceil(Math.E / epsilon);
    } else {
      faults.add("epsilon must be above 0 and below 1: " + epsilon);
    }
    if (delta > 0 && delta < 1) {
      this.depth = (int) Math.ceil(-Math.log(delta));
    } else {
      faults.add("delta must be above 0 and below 1: " + delta);
    }
    return this;
  }

  /** Sets the size of a counter: 32 or 64 bits; 32 by default. */
  public SketchBuilder counterBits(int bits) {
    this.counterBits = bits;
    if (bits != Integer.SIZE && bits != Long.SIZE) {
      faults.add("counterBits must be 32 or 64: " + bits);
    }
    return this;
  }

  /**
   * Sets how many threads can add concurrently, a power of two; each stripe has the memory of a
   * whole sketch. By default as many as processors, at most 8.
   */
  public SketchBuilder stripes(int stripes) {
    this.stripes = stripes;
    if (stripes < 1 || stripes > SketchShape.MAX_STRIPES || Integer.bitCount(stripes) != 1) {
      faults.add(
          "stripes must be a power of two from 1 to " + SketchShape.MAX_STRIPES + ": " + stripes);
    }
    return this;
  }

  /**
   * Leaves out the lock: the caller ensures that one thread at a time changes the sketch. Any
   * thread may still read it. It has one stripe.
   */
  public SketchBuilder singleWriter() {
    this.singleWriter = true;
    return this;
  }

  /** Sets how a touch raises the counters; conservative by default. */
  public SketchBuilder update(Update update) {
    this.update = update;
    return this;
  }

  /**
   * Returns a new sketch.
   *
   * @throws IllegalArgumentException if settings are invalid; the message names all of them
   */
  public CountMinSketch build() {
    return new CountMinSketch(shape());
  }

  private SketchShape shape() {
    var all = new ArrayList<>(faults);
    if (dimensionSetters.size() > 1) {
      all.add("dimensions must be set by one method only: " + String.join(", ", dimensionSetters));
    }
    if (singleWriter && stripes > 1) {
      all.add("stripes must be 1 with a single writer: " + stripes);
    }
    if (depth < 1 || depth > Rows.MAX_DEPTH) {
      all.add("depth must be from 1 to " + Rows.MAX_DEPTH + ": " + depth);
    }
    int count = singleWriter ? 1 : stripes == 0 ? defaultStripes() : stripes;
    long rowWidth = width;
    if (memory > 0 && all.isEmpty()) {
      rowWidth =
          (memory / count - SketchStripe.STATE_BYTES) / ((long) depth * (counterBits / Byte.SIZE));
      if (rowWidth < 1) {
        all.add(
            String.format(
                Locale.ROOT,
                "memory must be at least %d bytes for %d stripes of %d rows: %d",
                count * ((long) depth * counterBits / Byte.SIZE + SketchStripe.STATE_BYTES),
                count,
                depth,
                memory));
      }
    } else if (rowWidth < 1) {
      all.add("width must be at least 1: " + rowWidth);
    }
    if (rowWidth > SketchShape.MAX_CELLS / Math.max(1, depth)) {
      all.add(
          String.format(
              Locale.ROOT,
              "width x depth must be at most %d: %d x %d, %.0f bytes per stripe",
              SketchShape.MAX_CELLS,
              rowWidth,
              depth,
              (double) rowWidth * depth * counterBits / 8));
    }
    if (!all.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", all));
    }
    return new SketchShape((int) rowWidth, depth, counterBits, count, update, singleWriter);
  }

  private static int defaultStripes() {
    int processors = Math.min(MAX_DEFAULT_STRIPES, Runtime.getRuntime().availableProcessors());
    return Integer.highestOneBit(2 * processors - 1);
  }
}
