package io.heatshield.detect;

import io.heatshield.count.Rows;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a detector's counts, as a value.
 *
 * <pre>{@code
 * DetectorSettings settings = HotKeyDetector.builder().threshold(50).toSettings();
 * HotKeyDetector detector = HotKeyDetector.builder().settings(settings).build();
 * }</pre>
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
 * @param prefixLevels the number of prefixes of a key that are also counted, 0 to 8
 * @param prefixSeparator the ASCII character that ends a prefix
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
    int prefixLevels,
    char prefixSeparator) {

  static final int MAX_PANES = 64;
  private static final int MIN_WIDTH = 64;
  static final int MAX_WIDTH = 1 << 24;
  static final int MAX_TOP = 256;
  static final int MAX_STRIPES = 64;
  static final int MAX_LEVELS = 8;
  private static final int MAX_NUMBERS = Candidates.capacity(MAX_TOP) + Audit.CAPACITY;
  private static final char LAST_ASCII = 0x7f;
  private static final Duration MIN_WINDOW = Duration.ofSeconds(1);
  private static final Duration MAX_WINDOW = Duration.ofDays(366);
  private static final long SECOND = 1_000_000_000L;

  /**
   * Checks the settings.
   *
   * @throws InvalidSettingsException with every fault
   */
  public DetectorSettings {
    Objects.requireNonNull(window, "window");
    var faults = new Faults();
    boolean spans = window.compareTo(MIN_WINDOW) >= 0 && window.compareTo(MAX_WINDOW) <= 0;
    faults.checkRange("window", window, MIN_WINDOW, MAX_WINDOW);
    faults.checkRange("panes", panes, 1, MAX_PANES);
    faults.check(threshold >= 1, "threshold must be at least 1", threshold);
    faults.check(exit > 0 && exit <= 1, "exit must be above 0 and at most 1", exit);
    faults.checkRange("width", width, MIN_WIDTH, MAX_WIDTH);
    faults.checkRange("depth", depth, 2, Rows.MAX_DEPTH);
    faults.checkRange("topK", topK, 1, MAX_TOP);
    boolean striped = stripes >= 1 && stripes <= MAX_STRIPES && Integer.bitCount(stripes) == 1;
    faults.check(striped, "stripes must be a power of two from 1 to " + MAX_STRIPES, stripes);
    faults.checkRange("prefixLevels", prefixLevels, 0, MAX_LEVELS);
    faults.checkRange("prefixSeparator", prefixSeparator, 0, LAST_ASCII);
    if (spans && threshold >= 1) {
      double hotAt = threshold * (window.toNanos() / (double) SECOND);
      boolean countable = hotAt <= Integer.MAX_VALUE;
      faults.check(countable, "threshold x window must be at most 2147483647 touches", hotAt);
    }
    if (faults.isEmpty()) {
      long counters = ((long) width * depth + MAX_NUMBERS) * panes;
      boolean holdable = counters <= Integer.MAX_VALUE - 8;
      faults.check(
          holdable,
          "width x depth x panes must be below 2^31, not this many bytes",
          WindowedStripe.bytes(width, depth, panes, 0));
    }
    faults.throwIfAny();
  }

  /** Returns the number of touches in a window that makes a key hot. */
  public long hotAt() {
    long nanos = window.toNanos();
    return Math.max(1, (long) Math.ceil(threshold * (nanos / (double) SECOND)));
  }

  /** Returns the most memory that a detector of these settings takes, in bytes. */
  public long bytes() {
    return DetectorState.bytes(this)
        + (prefixLevels > 0 ? DetectorState.bytes(PrefixRollup.settings(this)) : 0);
  }
}
