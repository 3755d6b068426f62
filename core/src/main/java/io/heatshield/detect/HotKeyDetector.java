package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
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
 * Finds the keys of one scope that are touched at or above a rate, out of unboundedly many.
 *
 * <p><b>Never a miss.</b> When a key's touches within any interval of one window's length reach
 * {@code threshold x window}, the touch that brings them there, or one that races with it, is
 * answered with a verdict other than {@link Verdict#COOL}, however the interval lies on the panes
 * and whatever threads the touches came from. The estimate spans the present pane and {@code panes}
 * full ones, so a rate is over-reported by at most {@code 1 + 1/panes}, and by the sketch's error.
 * With weights a touch counts as many times.
 *
 * <p><b>Error.</b> An estimate exceeds the touches in its span by more than {@code e/width} of all
 * keys' touches there with a probability of at most {@code e^-depth}, over the secret of the hash;
 * conservative update makes it far less on skewed traffic. Whoever knows the secret voids this.
 * When that bound reaches the threshold, the detector is overloaded: verdicts that the exactly
 * counted part does not prove become {@code UNCERTAIN}, and {@link #stats} names a width that would
 * do.
 *
 * <p><b>Memory.</b> {@link #bytes}, whatever the keys: by default below 128 KiB for each stripe.
 *
 * <p>Any thread may call any method. A touch takes no lock that is held across a callback or an
 * allocation; it allocates when its key wins a place, and when a listed key's verdict is renewed, a
 * few dozen times per pane. Nothing is lost to a race or to a turn of the panes. There is no thread
 * inside: whoever turns a pane by a touch also reviews the kept keys, and {@link #maintain} does so
 * when nobody touches. Time never runs backwards here: a reading from before the present pane
 * counts in it.
 */
public final class HotKeyDetector {
  /*
   * One touch: hash the key, turn the pane if it is over, take a stripe, count in its sketch, count
   * exactly if the key has a place, give the stripe back, and ask the judge if need be.
   *
   * pane   read and moved on by CAS, volatile. A touch reads it again once it has its stripe's
   *        lock, which orders it after every sum that has visited the stripe and so shows it the
   *        flags that those sums rely on, see Judge. Pinned by HotKeyDetectorStress.
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
   * @param keyHash the hash of keys, also of those that are given hashed
   * @param ticker the time; a {@code CoarseTicker} keeps a touch from paying for it
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

  /** Creates a detector with a secret of its own, the JVM's ticker and no listener. */
  public HotKeyDetector(DetectorSettings settings) {
    this(settings, KeyHash.fast(HashSecret.random()), Ticker.system(), HotKeyListener.NONE);
  }

  /** Counts one touch of a key. */
  public Verdict touch(byte[] key) {
    return touch(key, 1);
  }

  /** Counts a touch of a key that weighs as many as given, 0 or more. */
  public Verdict touch(byte[] key, long weight) {
    return touch(keyHash.hash(key), key, weight);
  }

  /** Counts one touch of the key that the buffer's remaining bytes are; leaves the buffer as is. */
  public Verdict touch(ByteBuffer key) {
    return touch(key, 1);
  }

  /** Counts a touch of a given weight of the key that the buffer's remaining bytes are. */
  public Verdict touch(ByteBuffer key, long weight) {
    return touch(keyHash.hash(key), key, weight);
  }

  /** Counts a touch of the key that the buffer's remaining bytes are and whose hash is known. */
  public Verdict touch(long hash, ByteBuffer key, long weight) {
    return count(hash, key, weight);
  }

  /** Counts one touch of the key that the text's UTF-8 is. */
  public Verdict touch(CharSequence key) {
    return touch(key, 1);
  }

  /** Counts a touch of a given weight of the key that the text's UTF-8 is. */
  public Verdict touch(CharSequence key, long weight) {
    return count(keyHash.hash(key), key, weight);
  }

  /** Counts a touch of a key whose hash by {@link #keyHash} is known; it is not checked. */
  public Verdict touch(long hash, byte[] key, long weight) {
    return count(hash, key, weight);
  }

  /** Returns the function that keys are counted by; a known hash must come from it. */
  public KeyHash keyHash() {
    return keyHash;
  }

  /** Returns the estimate of a key. */
  public Estimate estimate(byte[] key) {
    return estimate(keyHash.hash(key));
  }

  /** Returns the estimate of a key whose hash is known. */
  public Estimate estimate(long hash) {
    Pane now = present(ticker.nanos());
    long touches = stripes.sum(hash, now.epoch);
    long error = Math.min(touches, now.errorBound(stripes.inWindow(now.epoch)));
    boolean atLeast = stripes.isSaturated(hash, now.epoch);
    return new Estimate(touches, error, atLeast, now.rate(touches));
  }

  /** Returns what is known about a key, if it has a place in the table. */
  public Optional<KeyReport> explain(byte[] key) {
    long now = ticker.nanos();
    Pane present = present(now);
    return Optional.ofNullable(candidates.find(keyHash.hash(key)))
        .map(candidate -> judge.report(present, now, candidate));
  }

  /** Returns the kept keys with the highest estimates, recomputed now, highest first. */
  public List<KeyReport> top(int n) {
    long now = ticker.nanos();
    Pane present = present(now);
    return candidates.all().stream()
        .map(candidate -> judge.report(present, now, candidate))
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

  /** Returns the prefixes that are hot by what their hot keys do not explain. */
  public List<HotPrefix> hotPrefixes() {
    return rollup == null ? List.of() : rollup.hot(hot());
  }

  /**
   * Returns a copy of what the window holds, from which another process that knows the hash can
   * estimate any key.
   *
   * @param maxCells its most counters, at least the rows; a wider sketch is folded into them, and
   *     its error grows as if it were so narrow
   */
  public WindowCounts counts(int maxCells) {
    Pane now = present(ticker.nanos());
    return stripes.counts(now.settings, now.epoch, WindowCounts.fold(now.settings, maxCells));
  }

  /** Returns the estimate that wins a key a place in the table, about; 1 while there is room. */
  public long floor() {
    return candidates.bar();
  }

  /** Returns what the audit found. */
  public AuditReport audit() {
    return audit.report(present(ticker.nanos()));
  }

  /** Returns this detector's own numbers. */
  public DetectorStats stats() {
    return DetectorStats.of(present(ticker.nanos()), stripes, candidates, judge, audit, bytes());
  }

  /** Returns the settings that hold now. */
  public DetectorSettings settings() {
    return currentPane().settings;
  }

  /**
   * Changes window and threshold from the next touch on.
   *
   * <p>No key is missed in an interval that begins after the change. Under another window counting
   * begins anew, and a hot key stays hot for a window unless it is silent; under another threshold
   * alone the counts go on.
   *
   * @throws InvalidSettingsException with every fault, and nothing changes
   */
  public void retune(Duration window, long threshold) {
    pane.updateAndGet(last -> last.retuned(window, threshold, ticker.nanos()));
    if (rollup != null) {
      rollup.retune(window, threshold);
    }
  }

  /** Turns the pane if it is over and lets keys cool that nobody touches; call it now and then. */
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
    Pane before = present(now);
    boolean sampled = Audit.isSampled(hash);
    if (sampled) {
      audit.follow(hash, before, now);
    }
    WindowedStripe stripe = stripes.enter();
    Pane present = currentPane();
    long own = stripe.add(hash, counted, present.epoch);
    long ownTouches = WindowedStripe.whole(own);
    Candidate kept = candidates.find(hash);
    boolean due =
        kept == null
            ? mayContest(stripe, ownTouches)
            : stripe.addExact(kept.number, counted, ownTouches, now);
    Audit.Followed followed = sampled ? audit.find(hash) : null;
    if (followed != null) {
      stripe.addExact(followed.number, counted, ownTouches, now);
    }
    stripe.unlock();
    Verdict verdict =
        kept == null
            ? judge.verdictOnOther(present, now, hash, key, own, due)
            : judge.verdictOnKept(present, now, kept, own, due);
    if (followed != null) {
      audit.check(followed, present, verdict);
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

  /** Returns the pane that holds a reading; the thread that turns it reviews the kept keys. */
  private Pane present(long now) {
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
    Pane present = currentPane();
    judge.review(present, now);
    candidates.refresh(present);
    audit.review(present);
  }
}
