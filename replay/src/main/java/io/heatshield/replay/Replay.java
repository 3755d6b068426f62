package io.heatshield.replay;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.detect.Estimate;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyListener;
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
 * One run of a trace through a detector, beside exact counts of the same touches.
 *
 * <p>The trace's own time drives both, in steps of a millisecond. One pass does it: the truth keeps
 * the touches of a window, so nothing has to be read again, and a pipe will do.
 *
 * <p>Not for use by several threads.
 */
public final class Replay {
  private static final long MILLI = 1_000_000L;
  private static final int TELL_EVERY = 1 << 16;
  private static final int MOST_WINDOW_MILLIS = 3_600_000;

  private final Trace trace;
  private final DetectorSettings settings;
  private final KeyHash hash;
  private final KeyCensus census;
  private final SlidingTruth truth;
  private final Findings findings = new Findings();
  private final ErrorCheck check = new ErrorCheck();
  private final HotKeyDetector detector;
  private final long hotAt;
  private final long paneNanos;
  private long now;
  private long nextPane;

  private Replay(Trace trace, DetectorSettings settings, int exactLimit, HashSecret secret) {
    long window = settings.window().toMillis();
    if (window > MOST_WINDOW_MILLIS || settings.window().toNanos() != window * MILLI) {
      throw new IllegalArgumentException(
          "window must be whole milliseconds and at most 1h: " + settings.window());
    }
    this.trace = trace;
    this.settings = settings.toBuilder().stripes(1).build();
    this.hash = KeyHash.fast(secret);
    this.census = new KeyCensus(exactLimit);
    this.truth = new SlidingTruth((int) window);
    this.detector = new HotKeyDetector(this.settings, hash, () -> now * MILLI, HotKeyListener.NONE);
    this.hotAt = settings.hotAt();
    this.paneNanos = (settings.window().toNanos() + settings.panes() - 1) / settings.panes();
    this.nextPane = endOfPane(0);
  }

  /**
   * Runs a trace to its end.
   *
   * @param exactLimit the most distinct keys that are counted exactly
   * @param top how many keys with the most touches are reported
   * @throws IOException if this thread is interrupted while it reads
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
    long begun = ticker.nanos();
    replay.runAll(progress);
    return replay.report(top, (ticker.nanos() - begun) / 1e9);
  }

  private void runAll(Progress progress) throws IOException {
    ByteBuffer key = ByteBuffer.allocate(0);
    long untilTold = TELL_EVERY;
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
      int number = census.touch(hashed, bytes, from, to);
      if (number >= 0 && truth.touch(number) >= hotAt) {
        findings.due(number, millis);
      }
      Verdict verdict = detector.touch(hashed, key, 1);
      if (verdict != Verdict.COOL) {
        findings.told(number, millis, verdict);
      }
      if (--untilTold == 0) {
        untilTold = TELL_EVERY;
        progress.at(trace.packedBytes(), trace.size(), trace.stats().touches());
      }
    }
    progress.at(trace.packedBytes(), trace.size(), trace.stats().touches());
  }

  private void moveTo(long millis) {
    if (millis >= nextPane) {
      now = nextPane;
      truth.advance(now);
      if (!truth.isGivenUp()) {
        check.compare(now, detector, census, truth);
      }
      nextPane = endOfPane(millis);
    }
    now = millis;
    truth.advance(millis);
  }

  /** Returns the first millisecond in a pane later than that of a moment. */
  private long endOfPane(long millis) {
    long pane = millis * MILLI / paneNanos + 1;
    return (pane * paneNanos + MILLI - 1) / MILLI;
  }

  private ReplayReport report(int top, double seconds) {
    long end = now;
    DetectorStats atEnd = detector.stats();
    boolean known = !truth.isGivenUp();
    if (trace.stats().touches() > 0) {
      moveTo(nextPane);
    }
    return new ReplayReport(
        TraceFacts.of(trace),
        settings,
        end,
        census.size(),
        census.beyond(),
        known,
        known ? findings.keys(census, truth) : List.of(),
        findings.reportsBeyond(),
        check.errors(),
        check.samples(),
        topKeys(top),
        atEnd,
        seconds);
  }

  private List<TopKey> topKeys(int top) {
    var keys = new ArrayList<TopKey>();
    double all = Math.max(1, trace.stats().touches());
    for (int key : census.top(top)) {
      Estimate estimate = detector.estimate(census.hash(key));
      keys.add(
          new TopKey(
              Shown.key(census, key),
              census.total(key),
              census.total(key) / all,
              truth.peak(key),
              truth.count(key),
              estimate.touches(),
              estimate.error()));
    }
    return keys;
  }
}
