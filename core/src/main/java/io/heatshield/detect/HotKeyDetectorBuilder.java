package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Scheduler;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link HotKeyDetector}. By default a key is hot at 100 touches per second over 60 s, in
 * a sketch of 1024 x 4. All invalid settings are reported at once. Not thread-safe.
 */
public final class HotKeyDetectorBuilder {
  private static final int MAX_DEFAULT_STRIPES = 8;

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
  private int prefixLevels;
  private char prefixSeparator = ':';
  private @Nullable HashSecret secret;
  private Ticker ticker = Ticker.system();
  private Consumer<KeyReport> onHot = key -> {};
  private Consumer<KeyReport> onCool = key -> {};
  private @Nullable Scheduler scheduler;

  HotKeyDetectorBuilder() {}

  /** Sets all settings to those of a detector, or of another builder. */
  public HotKeyDetectorBuilder settings(DetectorSettings settings) {
    Objects.requireNonNull(settings, "settings");
    window = settings.window();
    panes = settings.panes();
    threshold = settings.threshold();
    exit = settings.exit();
    early = settings.early();
    width = settings.width();
    depth = settings.depth();
    topK = settings.topK();
    stripes = settings.stripes();
    prefixLevels = settings.prefixLevels();
    prefixSeparator = settings.prefixSeparator();
    return this;
  }

  /** Sets the time over which a rate is measured, at least a second; 60 s by default. */
  public HotKeyDetectorBuilder window(Duration time) {
    window = Objects.requireNonNull(time, "window");
    return this;
  }

  /** Sets the touches per second at which a key is hot; 100 by default. */
  public HotKeyDetectorBuilder threshold(long touchesPerSecond) {
    threshold = touchesPerSecond;
    return this;
  }

  /**
   * Sets the number of keys that {@link HotKeyDetector#top} reports reliably, 1 to 256; 10 by
   * default. {@code max(64, 4 * topK)} keys are tracked.
   */
  public HotKeyDetectorBuilder topK(int keys) {
    topK = keys;
    return this;
  }

  /** Sets the part of the threshold below which a hot key cools; 0.8 by default. */
  public HotKeyDetectorBuilder exit(double part) {
    exit = part;
    return this;
  }

  /**
   * Sets whether a key is also hot if its rate reached the threshold over a part of a window, of at
   * least a second; off by default. Such a key is {@link Verdict.Kind#EARLY}.
   */
  public HotKeyDetectorBuilder early(boolean report) {
    early = report;
    return this;
  }

  /** Sets the equal parts of a window, which expire one by one, 1 to 64; 4 by default. */
  public HotKeyDetectorBuilder panes(int parts) {
    panes = parts;
    return this;
  }

  /** Sets the counters in a row of the sketch, 64 to 2<sup>24</sup>; 1024 by default. */
  public HotKeyDetectorBuilder width(int counters) {
    width = counters;
    return this;
  }

  /** Sets the rows of the sketch, 2 to 16; 4 by default. */
  public HotKeyDetectorBuilder depth(int rows) {
    depth = rows;
    return this;
  }

  /**
   * Sets how many threads can count concurrently, each with a separate sketch: a power of two up to
   * 64; by default the processors, at most 8.
   */
  public HotKeyDetectorBuilder stripes(int count) {
    stripes = count;
    return this;
  }

  /**
   * Sets how many prefixes of a key are also counted, see {@link HotKeyDetector#hotPrefixes}; none
   * by default.
   *
   * @param levels the number of prefixes of a key, 0 to 8
   * @param separator the ASCII character that ends a prefix
   */
  public HotKeyDetectorBuilder prefixes(int levels, char separator) {
    prefixLevels = levels;
    prefixSeparator = separator;
    return this;
  }

  /** Sets the secret of the hash function of keys; a random one by default. */
  public HotKeyDetectorBuilder secret(HashSecret hashSecret) {
    secret = Objects.requireNonNull(hashSecret, "secret");
    return this;
  }

  /** Sets the source of time; a {@code CoarseTicker} makes touches faster. */
  public HotKeyDetectorBuilder ticker(Ticker source) {
    ticker = Objects.requireNonNull(source, "ticker");
    return this;
  }

  /**
   * Sets the listener of keys that turn hot or early.
   *
   * <p>Each change of a key is reported exactly once, by the thread whose {@code touch}, {@code
   * maintain} or upkeep found it, with no lock held; so a listener must not block. For one key, the
   * calls of this listener and that of {@link #onCool} alternate and never overlap. If a listener
   * throws, the exception is counted in {@link DetectorStats#listenerFaults}, and the caller of the
   * touch gets its verdict.
   */
  public HotKeyDetectorBuilder onHot(Consumer<KeyReport> listener) {
    onHot = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets the listener of hot keys that fell below the exit rate, were not touched for a window, or
   * became uncertain; see {@link #onHot}. A key without touches cools only if {@link #maintainOn}
   * or {@link HotKeyDetector#maintain} is used.
   */
  public HotKeyDetectorBuilder onCool(Consumer<KeyReport> listener) {
    onCool = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets the scheduler that calls {@link HotKeyDetector#maintain} once per pane, and at least once
   * a second, until the detector is closed.
   */
  public HotKeyDetectorBuilder maintainOn(Scheduler upkeep) {
    scheduler = Objects.requireNonNull(upkeep, "scheduler");
    return this;
  }

  /**
   * Returns the settings of the counts, without a detector.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public DetectorSettings toSettings() {
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
        prefixLevels,
        prefixSeparator);
  }

  /**
   * Returns a new detector.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public HotKeyDetector build() {
    DetectorSettings settings = toSettings();
    KeyHash hash = KeyHash.fast(secret == null ? HashSecret.random() : secret);
    var detector = new HotKeyDetector(settings, hash, ticker, new HotKeyListeners(onHot, onCool));
    if (scheduler != null) {
      detector.maintainOn(scheduler);
    }
    return detector;
  }
}
