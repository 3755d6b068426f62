package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Ticker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Detects the keys of one scope that are touched at or above a rate, out of any number of keys.
 *
 * <p><b>No key is missed.</b> When a key's touches within any interval of one window's length reach
 * {@code threshold x window}, the touch that reaches it, or one that races with it, gets a verdict
 * other than {@link Verdict#COOL}, wherever the interval begins and whatever threads touch. The
 * estimate spans the current pane and {@code panes} full ones, so a rate is over-reported by at
 * most {@code 1 + 1/panes}, and by the sketch's error. A touch of weight n counts as n touches.
 *
 * <p><b>Error.</b> An estimate exceeds the touches in its span by more than {@code e/width} of all
 * keys' touches there with a probability of at most {@code e^-depth}, over the secret of the hash.
 * Conservative update makes the error far smaller on skewed traffic. The bound does not hold
 * against those who know the secret. When the bound reaches the threshold, the detector is
 * overloaded: verdicts that the exact counts do not prove become {@code UNCERTAIN}, and {@link
 * #stats} gives a sufficient width.
 *
 * <p><b>Memory.</b> {@link #bytes}, whatever the keys: by default below 128 KiB for each stripe.
 *
 * <p>Any thread may call any method. No lock is held across a callback or an allocation. A touch
 * allocates when its key wins a place, and when the verdict of a listed key is renewed, a few dozen
 * times per pane. No touch is lost to a race or to a turn of the panes. The detector has no thread:
 * the touch that turns a pane also reviews the tracked keys, and {@link #maintain} does so when
 * there are no touches. Time never runs backwards here: a reading from before the current pane
 * counts in it.
 */
public final class HotKeyDetector {
  /*
   * One touch: hash the key, turn the pane if it is over, lock a stripe, count in its sketch, count
   * exactly if the key has a place, unlock the stripe, and get the verdict from the judge.
   *
   * pane   read and replaced by CAS, volatile. A touch reads it again after locking its stripe,
   *        which orders it after every sum that has visited the stripe, so it sees the flags that
   *        those sums rely on, see Judge. Pinned by HotKeyDetectorStress.
   */
  private final KeyHash keyHash;
  private final Ticker ticker;
  private final DetectorStripes stripes;
  private final Candidates candidates;
  private final Judge judge;
  private final Audit audit;
  private final @Nullable PrefixRollup rollup;
  private final AtomicReference<Pane> pane;

  /**
   * Creates a detector.
   *
   * @param keyHash the hash function, also of keys that callers have hashed
   * @param ticker the time; a {@code CoarseTicker} makes touches faster
   */
  public HotKeyDetector(
      DetectorSettings settings, KeyHash keyHash, Ticker ticker, HotKeyListener listener) {
    int capacity = Candidates.capacity(settings.topK());
    this.keyHash = keyHash;
    this.ticker = ticker;
    this.stripes = new DetectorStripes(settings, capacity + Audit.CAPACITY);
    this.candidates = new Candidates(capacity, stripes);
    this.judge = new Judge(stripes, candidates, listener);
    this.audit = new Audit(stripes, capacity);
    this.rollup = settings.rollup() ? new PrefixRollup(settings, keyHash, ticker) : null;
    this.pane = new AtomicReference<>(Pane.first(settings, ticker.nanos()));
  }

  /** Creates a detector with a random secret, the JVM's ticker and no listener. */
  public HotKeyDetector(DetectorSettings settings) {
    this(settings, KeyHash.fast(HashSecret.random()), Ticker.system(), HotKeyListener.NONE);
  }

  /** Counts one touch of a key. */
  public Verdict touch(byte[] key) {
    return touch(key, 1);
  }

  /** Counts a touch of a key with a weight of 0 or more. */
  public Verdict touch(byte[] key, long weight) {
    return touch(keyHash.hash(key), key, weight);
  }

  /** Counts one touch of the key in a buffer's remaining bytes; does not change the buffer. */
  public Verdict touch(ByteBuffer key) {
    return touch(key, 1);
  }

  /** Counts a touch, with a weight, of the key in a buffer's remaining bytes. */
  public Verdict touch(ByteBuffer key, long weight) {
    return touch(keyHash.hash(key), key, weight);
  }

  /** Counts a touch of the key in a buffer's remaining bytes whose hash is known. */
  public Verdict touch(long hash, ByteBuffer key, long weight) {
    return count(hash, key, weight);
  }

  /** Counts one touch of the key whose bytes are the text's UTF-8. */
  public Verdict touch(CharSequence key) {
    return touch(key, 1);
  }

  /** Counts a touch, with a weight, of the key whose bytes are the text's UTF-8. */
  public Verdict touch(CharSequence key, long weight) {
    return count(keyHash.hash(key), key, weight);
  }

  /** Counts a touch of a key whose hash by {@link #keyHash} is known; the hash is not checked. */
  public Verdict touch(long hash, byte[] key, long weight) {
    return count(hash, key, weight);
  }

  /** Returns the hash function; hashes that callers pass must be from it. */
  public KeyHash keyHash() {
    return keyHash;
  }

  /** Returns the estimate of a key. */
  public Estimate estimate(byte[] key) {
    return estimate(keyHash.hash(key));
  }

  /** Returns the estimate of a key whose hash is known. */
  public Estimate estimate(long hash) {
    Pane now = paneAt(ticker.nanos());
    long touches = stripes.sum(hash, now.epoch);
    long error = Math.min(touches, now.errorBound(stripes.inWindow(now.epoch)));
    boolean atLeast = stripes.isSaturated(hash, now.epoch);
    return new Estimate(touches, error, atLeast, now.rate(touches));
  }

  /** Returns a report on a key, if it has a place in the table. */
  public Optional<KeyReport> explain(byte[] key) {
    long now = ticker.nanos();
    Pane current = paneAt(now);
    return Optional.ofNullable(candidates.find(keyHash.hash(key)))
        .map(candidate -> judge.report(current, now, candidate));
  }

  /** Returns the tracked keys with the highest current estimates, highest first. */
  public List<KeyReport> top(int n) {
    long now = ticker.nanos();
    Pane current = paneAt(now);
    return candidates.all().stream()
        .map(candidate -> judge.report(current, now, candidate))
        .filter(report -> report.estimate() > 0)
        .sorted(Comparator.comparingLong(KeyReport::estimate).reversed())
        .limit(n)
        .toList();
  }

  /** Returns the keys that are hot, early or uncertain, highest estimate first. */
  public List<KeyReport> hot() {
    return top(Integer.MAX_VALUE).stream()
        .filter(report -> report.kind() != Verdict.Kind.COOL)
        .toList();
  }

  /** Returns the prefixes that are hot without the touches of their hot keys. */
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
    Pane now = paneAt(ticker.nanos());
    return stripes.counts(now.settings, now.epoch, WindowCounts.fold(now.settings, maxCells));
  }

  /** Returns the approximate estimate that wins a place in the table; 1 while there is room. */
  public long floor() {
    return candidates.bar();
  }

  /** Returns the results of the audit. */
  public AuditReport audit() {
    return audit.report(paneAt(ticker.nanos()));
  }

  /** Returns statistics about this detector. */
  public DetectorStats stats() {
    return DetectorStats.of(paneAt(ticker.nanos()), stripes, candidates, judge, audit, bytes());
  }

  /** Returns the current settings. */
  public DetectorSettings settings() {
    return currentPane().settings;
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
  public void retune(Duration window, long threshold) {
    pane.updateAndGet(last -> last.retuned(window, threshold, ticker.nanos()));
    if (rollup != null) {
      rollup.retune(window, threshold);
    }
  }

  /** Turns the pane if it is over, and cools keys that are not touched; to be called regularly. */
  public void maintain() {
    long now = ticker.nanos();
    pane.updateAndGet(last -> last.at(now));
    review(now);
    if (rollup != null) {
      rollup.maintain();
    }
  }

  /** Returns the most memory that this detector takes. */
  public long bytes() {
    int capacity = Candidates.capacity(settings().topK());
    return DetectorStripes.bytes(settings(), capacity + Audit.CAPACITY)
        + Candidates.bytes(capacity)
        + Audit.bytes()
        + Pane.bytes()
        + 1024
        + (rollup == null ? 0 : rollup.bytes());
  }

  private Verdict count(long hash, Object key, long weight) {
    if (weight < 0) {
      throw new IllegalArgumentException("weight must not be negative: " + weight);
    }
    int counted = (int) Math.min(weight, Integer.MAX_VALUE);
    long now = ticker.nanos();
    Pane before = paneAt(now);
    boolean sampled = Audit.isSampled(hash);
    if (sampled) {
      audit.follow(hash, before, now);
    }
    WindowedStripe stripe = stripes.enter();
    Pane current = currentPane();
    long own = stripe.add(hash, counted, current.epoch);
    long ownTouches = WindowedStripe.total(own);
    Candidate kept = candidates.find(hash);
    boolean due =
        kept == null
            ? mayContest(stripe, ownTouches)
            : stripe.addExact(kept.number, counted, ownTouches, now);
    Audit.AuditedKey audited = sampled ? audit.find(hash) : null;
    if (audited != null) {
      stripe.addExact(audited.number, counted, ownTouches, now);
    }
    stripe.unlock();
    Verdict verdict =
        kept == null
            ? judge.verdictOnOther(current, now, hash, key, own, due)
            : judge.verdictOnTracked(current, now, kept, own, due);
    if (audited != null) {
      audit.check(audited, current, verdict);
    }
    if (rollup != null) {
      rollup.touch(key, weight);
    }
    return verdict;
  }

  /** Returns whether a key may contest a place, which costs a sum over all stripes. */
  private boolean mayContest(WindowedStripe stripe, long own) {
    return candidates.mayContest(own)
        && (stripes.count() == 1 || !candidates.isFull() || stripe.isOneInSixteen());
  }

  /** Returns the pane of a reading; the thread that turns the pane reviews the tracked keys. */
  private Pane paneAt(long now) {
    Pane last = currentPane();
    if (last.isOver(now) && pane.compareAndSet(last, last.at(now))) {
      review(now);
    }
    return currentPane();
  }

  private Pane currentPane() {
    return Objects.requireNonNull(pane.get());
  }

  private void review(long now) {
    Pane current = currentPane();
    judge.review(current, now);
    candidates.refresh(current);
    audit.review(current);
  }
}
