package io.heatshield.detect;

import io.heatshield.hash.KeyHash;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Scheduler;
import io.heatshield.time.Ticker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects the keys of one scope that are touched at or above a rate, out of any number of keys.
 *
 * <pre>{@code
 * HotKeyDetector hot = HotKeyDetector.builder()
 *     .window(Duration.ofSeconds(60)).threshold(100)
 *     .onHot(k -> log.warn("{} {}/s for {}", k.key(), k.rate(), k.hotFor()))
 *     .maintainOn(Scheduler.of(executor))
 *     .build();
 * if (hot.touch("user:42").isHot()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>A key is bytes, text as its UTF-8, or a number as its decimal digits: {@code 42} and {@code
 * "42"} are one key.
 *
 * <p><b>No key is missed.</b> When a key's touches within any interval of one window's length reach
 * {@code threshold x window}, the touch that reaches it, or one that races with it, gets a verdict
 * other than {@link Verdict#COOL}, wherever the interval begins and whatever threads touch. The
 * estimate spans the current pane and {@code panes} full ones, so a rate is over-reported by at
 * most {@code 1 + 1/panes}, and by the sketch's error. A touch of weight n counts as n touches.
 *
 * <p><b>Error.</b> An estimate is never below the touches in its span that had ended when it was
 * computed. It exceeds them by more than {@code e/width} of all keys' touches there with a
 * probability of at most {@code e^-depth}, over the secret of the hash. Conservative update makes
 * the error far smaller on skewed traffic. The bound does not hold against those who know the
 * secret. When the bound reaches the threshold, the detector is overloaded: verdicts that the exact
 * counts do not prove become {@code UNCERTAIN}, and {@link #stats} gives a sufficient width.
 *
 * <p><b>Memory.</b> {@link #bytes}, whatever the keys: by default below 128 KiB for each stripe.
 *
 * <p><b>Threads.</b> Any thread may call any method. No lock is held across a callback or an
 * allocation. No touch is lost to a race or to a turn of the panes. Time never runs backwards here:
 * a reading from before the current pane counts in it.
 *
 * <p><b>Upkeep.</b> The detector has no thread. The touch that turns a pane also reviews the
 * tracked keys; {@link #maintain}, or the scheduler of the builder, does so when there are no
 * touches. Only these call listeners and change which keys are hot: methods that read do not, so
 * without upkeep they may return keys that have cooled since the last touch.
 *
 * <p><b>Allocation.</b> A touch allocates when its key wins a place, when the verdict of a listed
 * key is renewed, a few dozen times per pane, and when its key is hot without a place.
 */
public final class HotKeyDetector implements AutoCloseable {
  private static final Duration MAX_UPKEEP_INTERVAL = Duration.ofSeconds(1);

  private final KeyHash keyHash;
  private final DetectorState state;
  private final @Nullable PrefixRollup rollup;
  private final HashedHotKeyDetector hashed = new HashedHotKeyDetector(this);

  /** Ends the calls of the builder's scheduler; volatile, because it is set after construction. */
  private volatile Scheduler.Task upkeep = Scheduler.Task.NONE;

  HotKeyDetector(
      DetectorSettings settings, KeyHash keyHash, Ticker ticker, HotKeyListeners listeners) {
    this.keyHash = keyHash;
    this.state = new DetectorState(settings, ticker, listeners);
    this.rollup = settings.prefixLevels() > 0 ? new PrefixRollup(settings, keyHash, ticker) : null;
  }

  /** Returns a builder. */
  public static HotKeyDetectorBuilder builder() {
    return new HotKeyDetectorBuilder();
  }

  /** Counts one touch of a key. */
  public Verdict touch(byte[] key) {
    return count(keyHash.hash(key), key, 0, 1);
  }

  /** Counts a touch of a key with a weight of 0 or more. */
  public Verdict touch(byte[] key, long weight) {
    return count(keyHash.hash(key), key, 0, weight);
  }

  /** Counts one touch of the key in a buffer's remaining bytes; does not change the buffer. */
  public Verdict touch(ByteBuffer key) {
    return count(keyHash.hash(key), key, 0, 1);
  }

  /** Counts a touch, with a weight, of the key in a buffer's remaining bytes. */
  public Verdict touch(ByteBuffer key, long weight) {
    return count(keyHash.hash(key), key, 0, weight);
  }

  /** Counts one touch of the key whose bytes are the text's UTF-8. */
  public Verdict touch(CharSequence key) {
    return count(keyHash.hash(key), key, 0, 1);
  }

  /** Counts a touch, with a weight, of the key whose bytes are the text's UTF-8. */
  public Verdict touch(CharSequence key, long weight) {
    return count(keyHash.hash(key), key, 0, weight);
  }

  /** Counts one touch of the key whose bytes are the number's decimal digits. */
  public Verdict touch(long key) {
    return count(keyHash.hash(key), null, key, 1);
  }

  /** Counts a touch, with a weight, of the key whose bytes are the number's decimal digits. */
  public Verdict touch(long key, long weight) {
    return count(keyHash.hash(key), null, key, weight);
  }

  /** Returns the estimate of a key. */
  public Estimate estimate(byte[] key) {
    return state.estimate(keyHash.hash(key));
  }

  /** Returns the estimate of the key in a buffer's remaining bytes. */
  public Estimate estimate(ByteBuffer key) {
    return state.estimate(keyHash.hash(key));
  }

  /** Returns the estimate of the key whose bytes are the text's UTF-8. */
  public Estimate estimate(CharSequence key) {
    return state.estimate(keyHash.hash(key));
  }

  /** Returns the estimate of the key whose bytes are the number's decimal digits. */
  public Estimate estimate(long key) {
    return state.estimate(keyHash.hash(key));
  }

  /** Returns a report on a key, if it has a place in the table. */
  public Optional<KeyReport> explain(byte[] key) {
    return state.explain(keyHash.hash(key));
  }

  /** Returns a report on the key in a buffer's remaining bytes, if it has a place in the table. */
  public Optional<KeyReport> explain(ByteBuffer key) {
    return state.explain(keyHash.hash(key));
  }

  /** Returns a report on the key whose bytes are the text's UTF-8, if it has a place. */
  public Optional<KeyReport> explain(CharSequence key) {
    return state.explain(keyHash.hash(key));
  }

  /** Returns a report on the key whose bytes are the number's decimal digits, if it has a place. */
  public Optional<KeyReport> explain(long key) {
    return state.explain(keyHash.hash(key));
  }

  /**
   * Returns the view for callers that compute the hashes of keys themselves.
   *
   * @param by the function that they use
   * @throws IllegalArgumentException if it is another function than {@link #keyHash}, or has
   *     another secret
   */
  public HashedHotKeyDetector hashed(KeyHash by) {
    Objects.requireNonNull(by, "by");
    if (by.fingerprint() != keyHash.fingerprint()) {
      throw new IllegalArgumentException("hash must be of the same function and secret");
    }
    return hashed;
  }

  /** Returns the hash function of the keys. */
  public KeyHash keyHash() {
    return keyHash;
  }

  /** Returns the tracked keys with the highest current estimates, highest first. */
  public List<KeyReport> top(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    return state.top(n);
  }

  /** Returns the keys that are hot, early or uncertain, highest estimate first. */
  public List<KeyReport> hot() {
    return top(Integer.MAX_VALUE).stream()
        .filter(report -> report.kind() != Verdict.Kind.COOL)
        .toList();
  }

  /**
   * Returns the prefixes that are hot without the touches of their hot keys; none unless {@link
   * HotKeyDetectorBuilder#prefixes} was used.
   */
  public List<HotPrefix> hotPrefixes() {
    return rollup == null ? List.of() : rollup.hot(hot());
  }

  /**
   * Returns a copy of the window's counters, from which another process that has the hash function
   * can estimate any key.
   *
   * @param maxCells the most counters of the copy, at least the rows; a wider sketch is folded, and
   *     its error is that of a sketch of this size
   */
  public WindowCounts counts(int maxCells) {
    return state.counts(maxCells);
  }

  /** Returns the approximate estimate that wins a place in the table; 1 while there is room. */
  public long floor() {
    return state.floor();
  }

  /** Returns the results of the audit. */
  public AuditReport audit() {
    return state.audit();
  }

  /** Returns statistics about this detector. */
  public DetectorStats stats() {
    return state.stats(bytes());
  }

  /** Returns the current settings. */
  public DetectorSettings settings() {
    return state.settings();
  }

  /**
   * Changes window and threshold from the next touch on.
   *
   * <p>No key is missed in an interval that begins after the change. If the window changes,
   * counting starts again from 0, and a hot key stays hot for a window unless it is not touched. If
   * only the threshold changes, the counts are kept.
   *
   * @throws InvalidSettingsException with every fault; nothing changes then
   */
  public void reconfigure(Duration window, long threshold) {
    Objects.requireNonNull(window, "window");
    state.reconfigure(window, threshold);
    if (rollup != null) {
      rollup.reconfigure(window, threshold);
    }
  }

  /**
   * Turns the pane if it is over, and cools keys that are not touched. To be called regularly,
   * unless the builder has a scheduler.
   */
  public void maintain() {
    state.maintain();
    if (rollup != null) {
      rollup.maintain();
    }
  }

  /** Returns the most memory that this detector takes. */
  public long bytes() {
    return settings().bytes();
  }

  /** Ends the upkeep by the builder's scheduler. The detector can still be used. */
  @Override
  public void close() {
    upkeep.close();
  }

  /** Has a scheduler maintain this detector until it is closed; to be called once. */
  void maintainOn(Scheduler scheduler) {
    DetectorSettings settings = settings();
    Duration ofPane = settings.window().dividedBy(settings.panes());
    boolean isShort = ofPane.compareTo(MAX_UPKEEP_INTERVAL) < 0;
    upkeep = scheduler.every(isShort ? ofPane : MAX_UPKEEP_INTERVAL, this::maintain);
  }

  /** Returns the counts, for the view by hash. */
  DetectorState state() {
    return state;
  }

  /**
   * Counts a touch of a key.
   *
   * @param key the key as an array, a buffer or text; null if it is the number
   */
  Verdict count(long hash, @Nullable Object key, long number, long weight) {
    Verdict verdict = state.count(hash, key, number, weight);
    if (rollup != null) {
      rollup.touch(DetectorState.named(key, number), weight);
    }
    return verdict;
  }
}
