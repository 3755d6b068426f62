package io.heatshield.detect;

import io.heatshield.sketch.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of one detector.
 *
 * @param window the time over which a rate is measured; at least a second
 * @param panes the number of equal parts of the window, 1 to 64; a rate is over-reported by at most
 *     1/panes
 * @param threshold touches per second at which a key is hot; at least 1
 * @param exit the part of the threshold below which a hot key cools; above 0, at most 1
 * @param early whether to report a key early, by the part of the pane that has passed; in a pane's
 *     first second together with as many panes before it as it takes to span a second
 * @param width cells per row, 64 to 2<sup>24</sup>: the error is e/width of all touches in the
 *     window
 * @param depth rows, 2 to 16: the error bound fails for a key with a probability of e<sup>-depth
 *     </sup>
 * @param topK the number of keys that {@code top} reports reliably; 1 to 256. A cool key replaces
 *     the weakest of {@code max(64, 4 * topK)} tracked keys if its estimate is an eighth higher, so
 *     if more keys than that differ by less, the hottest of them may be missing
 * @param stripes how many threads can count concurrently, each with a separate sketch; a power of
 *     two up to 64
 * @param rollup whether prefixes are also counted, see {@link PrefixRollup}
 * @param rollupLevels the number of prefixes of a key that are counted, 1 to 8
 * @param separator the byte that ends a prefix
 */
public record DetectorSettings(
    Duration window,
    int panes,
    long threshold,
    double exit,
    boolean early,
    int width,
    int depth,
    int topK,
    int stripes,
    boolean rollup,
    int rollupLevels,
    byte separator) {

  static final int MAX_PANES = 64;
  static final int MAX_WIDTH = 1 << 24;
  static final int MAX_TOP = 256;
  static final int MAX_STRIPES = 64;
  static final int MAX_LEVELS = 8;
  private static final int MAX_NUMBERS = Candidates.capacity(MAX_TOP) + Audit.CAPACITY;
  private static final int MAX_DEFAULT_STRIPES = 8;
  private static final long SECOND = 1_000_000_000L;

  /**
   * Checks the settings.
   *
   * @throws InvalidSettingsException with every fault
   */
  public DetectorSettings {
    var faults = new ArrayList<String>();
    boolean longEnough = window.compareTo(Duration.ofSeconds(1)) >= 0;
    check(faults, longEnough, "window must be at least 1s: ", window);
    boolean shortEnough = window.compareTo(Duration.ofDays(366)) <= 0;
    check(faults, shortEnough, "window must be at most 366 days: ", window);
    check(faults, panes >= 1 && panes <= MAX_PANES, "panes must be 1 to 64: ", panes);
    check(faults, threshold >= 1, "threshold must be at least 1: ", threshold);
    check(faults, exit > 0 && exit <= 1, "exit must be above 0 and at most 1: ", exit);
    boolean fits = width >= 64 && width <= MAX_WIDTH;
    check(faults, fits, "width must be 64 to 16777216: ", width);
    boolean rows = depth >= 2 && depth <= Rows.MAX_DEPTH;
    check(faults, rows, "depth must be 2 to 16: ", depth);
    check(faults, topK >= 1 && topK <= MAX_TOP, "topK must be 1 to 256: ", topK);
    boolean striped = stripes >= 1 && stripes <= MAX_STRIPES && Integer.bitCount(stripes) == 1;
    check(faults, striped, "stripes must be a power of two from 1 to 64: ", stripes);
    boolean levels = rollupLevels >= 1 && rollupLevels <= MAX_LEVELS;
    check(faults, levels, "rollupLevels must be 1 to 8: ", rollupLevels);
    if (longEnough && shortEnough && threshold >= 1) {
      double hotAt = threshold * (window.toNanos() / (double) SECOND);
      boolean countable = hotAt <= Integer.MAX_VALUE;
      check(faults, countable, "threshold x window must be at most 2147483647 touches: ", hotAt);
    }
    if (fits && rows && panes >= 1 && panes <= MAX_PANES) {
      long counters = ((long) width * depth + MAX_NUMBERS) * panes;
      long bytes = WindowedStripe.bytes(width, depth, panes, 0);
      boolean holdable = counters <= Integer.MAX_VALUE - 8;
      check(
          faults,
          holdable,
          "width x depth x panes must be below 2^31, not this many bytes: ",
          bytes);
    }
    if (!faults.isEmpty()) {
      throw new InvalidSettingsException(faults);
    }
  }

  /** Returns the defaults: 100 touches per second over 60 s, in a sketch of 1024 x 4. */
  public static DetectorSettings defaults() {
    return builder().build();
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with these settings. */
  public Builder toBuilder() {
    var builder = new Builder();
    builder.window = window;
    builder.panes = panes;
    builder.threshold = threshold;
    builder.exit = exit;
    builder.early = early;
    builder.width = width;
    builder.depth = depth;
    builder.topK = topK;
    builder.stripes = stripes;
    builder.rollup = rollup;
    builder.rollupLevels = rollupLevels;
    builder.separator = separator;
    return builder;
  }

  /** Returns the number of touches in a window that makes a key hot. */
  public long hotAt() {
    long nanos = window.toNanos();
    return Math.max(1, (long) Math.ceil(threshold * (nanos / (double) SECOND)));
  }

  private static void check(List<String> faults, boolean holds, String rule, Object value) {
    if (!holds) {
      faults.add(rule + value);
    }
  }

  /** Builds settings; they are checked by {@link #build}. */
  public static final class Builder {
    private Duration window = Duration.ofSeconds(60);
    private int panes = 4;
    private long threshold = 100;
    private double exit = 0.8;
    private boolean early;
    private int width = 1024;
    private int depth = 4;
    private int topK = 10;
    private int stripes =
        Math.min(
            MAX_DEFAULT_STRIPES, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));
    private boolean rollup;
    private int rollupLevels = 3;
    private byte separator = ':';

    private Builder() {}

    /** Sets the window; 60 s by default. */
    public Builder window(Duration value) {
      window = value;
      return this;
    }

    /** Sets the panes of a window; 4 by default. */
    public Builder panes(int value) {
      panes = value;
      return this;
    }

    /** Sets the touches per second at which a key is hot; 100 by default. */
    public Builder threshold(long value) {
      threshold = value;
      return this;
    }

    /** Sets the part of the threshold below which a hot key cools; 0.8 by default. */
    public Builder exit(double value) {
      exit = value;
      return this;
    }

    /** Sets whether keys are reported early; off by default. */
    public Builder early(boolean value) {
      early = value;
      return this;
    }

    /** Sets the cells per row; 1024 by default. */
    public Builder width(int value) {
      width = value;
      return this;
    }

    /** Sets the rows; 4 by default. */
    public Builder depth(int value) {
      depth = value;
      return this;
    }

    /** Sets how many keys {@code top} reports reliably; 10 by default. */
    public Builder topK(int value) {
      topK = value;
      return this;
    }

    /** Sets how many threads can count concurrently; by default the processors, at most 8. */
    public Builder stripes(int value) {
      stripes = value;
      return this;
    }

    /** Sets whether prefixes are counted; off by default. */
    public Builder rollup(boolean value) {
      rollup = value;
      return this;
    }

    /** Sets how many prefixes of a key are counted; 3 by default. */
    public Builder rollupLevels(int value) {
      rollupLevels = value;
      return this;
    }

    /** Sets the byte that ends a prefix; a colon by default. */
    public Builder separator(byte value) {
      separator = value;
      return this;
    }

    /**
     * Returns the settings.
     *
     * @throws InvalidSettingsException with every fault
     */
    public DetectorSettings build() {
      return new DetectorSettings(
          window,
          panes,
          threshold,
          exit,
          early,
          width,
          depth,
          topK,
          stripes,
          rollup,
          rollupLevels,
          separator);
    }
  }
}
