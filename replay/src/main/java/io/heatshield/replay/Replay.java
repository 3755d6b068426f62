package io.heatshield.replay;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.Estimate;
import io.heatshield.detect.HashedHotKeyDetector;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyDetectorBuilder;
import io.heatshield.detect.Verdict;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.replay.trace.Trace;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a trace through a detector and counts the same touches exactly.
 *
 * <p>The trace's own time drives both, in steps of a millisecond. A single pass is enough because
 * {@link ExactWindow} keeps the touches of a window, so the trace may be a pipe.
 *
 * <p>Not thread-safe.
 */
public final class Replay {
  private static final long MILLI = 1_000_000L;
  private static final int PROGRESS_EVERY = 1 << 16;
  private static final int MAX_WINDOW_MILLIS = 3_600_000;

  private final Trace trace;
  private final DetectorSettings settings;
  private final KeyHash hash;
  private final KeyTable keys;
  private final ExactWindow exact;
  private final Findings findings = new Findings();
  private final ErrorMeter errors = new ErrorMeter();
  private final HashedHotKeyDetector detector;
  private final long hotAt;
  private final long paneNanos;
  private long now;
  private long nextPane;

  private Replay(Trace trace, DetectorSettings settings, int exactLimit, HashSecret secret) {
    long window = settings.window().toMillis();
    if (window > MAX_WINDOW_MILLIS || settings.window().toNanos() != window * MILLI) {
      throw new IllegalArgumentException(
          "window must be whole milliseconds and at most 1h: " + settings.window());
    }
    this.trace = trace;
    HotKeyDetectorBuilder builder =
        HotKeyDetector.builder()
            .settings(settings)
            .stripes(1)
            .secret(secret)
            .ticker(() -> now * MILLI);
    this.settings = builder.toSettings();
    this.hash = KeyHash.fast(secret);
    this.keys = new KeyTable(exactLimit);
    this.exact = new ExactWindow((int) window);
    this.detector = builder.build().hashed(hash);
    this.hotAt = settings.hotAt();
    this.paneNanos = (settings.window().toNanos() + settings.panes() - 1) / settings.panes();
    this.nextPane = endOfPane(0);
  }

  /**
   * Runs a trace to its end.
   *
   * @param exactLimit the maximum number of keys that are counted exactly
   * @param top the number of top keys in the report
   * @throws IOException if the thread is interrupted while reading
   * @throws IllegalArgumentException if the window is not whole milliseconds up to an hour
   */
  public static ReplayReport run(
      Trace trace,
      DetectorSettings settings,
      int exactLimit,
      int top,
      HashSecret secret,
      Ticker ticker,
      Progress progress)
      throws IOException {
    var replay = new Replay(trace, settings, exactLimit, secret);
    long start = ticker.nanos();
    replay.runAll(progress);
    return replay.report(top, (ticker.nanos() - start) / 1e9);
  }

  private void runAll(Progress progress) throws IOException {
    ByteBuffer key = ByteBuffer.allocate(0);
    long untilProgress = PROGRESS_EVERY;
    while (trace.next()) {
      long millis = trace.nanos() / MILLI;
      if (millis > now) {
        moveTo(millis);
      }
      byte[] bytes = trace.bytes();
      int from = trace.from();
      int to = trace.to();
      if (key.array() != bytes) {
        key = ByteBuffer.wrap(bytes);
      }
      key.limit(to).position(from);
      long hashed = hash.hash(bytes, from, to - from);
      int number = keys.touch(hashed, bytes, from, to);
      if (number >= 0 && exact.touch(number) >= hotAt) {
        findings.actual(number, millis);
      }
      Verdict verdict = detector.touch(hashed, key, 1);
      if (verdict != Verdict.COOL) {
        findings.reported(number, millis, verdict);
      }
      if (--untilProgress == 0) {
        untilProgress = PROGRESS_EVERY;
        progress.update(trace.compressedBytes(), trace.size(), trace.stats().touches());
      }
    }
    progress.update(trace.compressedBytes(), trace.size(), trace.stats().touches());
  }

  private void moveTo(long millis) {
    if (millis >= nextPane) {
      now = nextPane;
      exact.advance(now);
      if (!exact.isOverflowed()) {
        errors.compare(now, detector, keys, exact);
      }
      nextPane = endOfPane(millis);
    }
    now = millis;
    exact.advance(millis);
  }

  /** Returns the first millisecond after the pane that contains a moment. */
  private long endOfPane(long millis) {
    long pane = millis * MILLI / paneNanos + 1;
    return (pane * paneNanos + MILLI - 1) / MILLI;
  }

  private ReplayReport report(int top, double seconds) {
    long end = now;
    DetectorStats atEnd = detector.detector().stats();
    boolean known = !exact.isOverflowed();
    if (trace.stats().touches() > 0) {
      moveTo(nextPane);
    }
    return new ReplayReport(
        trace.facts(),
        settings,
        end,
        keys.size(),
        keys.beyond(),
        known,
        known ? findings.hotKeys(keys, exact) : List.of(),
        findings.reportsBeyond(),
        errors.errors(),
        errors.samples(),
        topKeys(top),
        atEnd,
        seconds);
  }

  private List<TopKey> topKeys(int top) {
    var topKeys = new ArrayList<TopKey>();
    double all = Math.max(1, trace.stats().touches());
    for (int key : keys.top(top)) {
      Estimate estimate = detector.estimate(keys.hash(key));
      topKeys.add(
          new TopKey(
              ReportFormat.key(keys, key),
              keys.total(key),
              keys.total(key) / all,
              exact.peak(key),
              exact.count(key),
              estimate.touches(),
              estimate.error()));
    }
    return topKeys;
  }
}
