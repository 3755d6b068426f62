package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
   * pane   volatile; moved on by CAS. A touch reads it again once it has its stripe's lock, which orders it after every
   *        sum that has visited the stripe and so shows it the flags that those sums rely on (see Judge).
   */
  private static final VarHandle PANE;
  private static final int CONTEST_EVERY = 16;

  static {
    try {
      PANE = MethodHandles.lookup().findVarHandle(HotKeyDetector.class, "pane", Pane.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final KeyHash keyHash;
  private final Ticker ticker;
  private final Stripes stripes;
  private final Budgets budgets;
  private final Candidates candidates;
  private final Judge judge;
  private final Audit audit;
  private final boolean single;
  // The bits of a mixed hash that an ordinary touch does not have all at 0.
  private final long ordinary;
  private final @Nullable PrefixRollup rollup;
  private volatile Pane pane;

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
    this.stripes = new Stripes(settings, capacity + Audit.CAPACITY);
    this.budgets = new Budgets(stripes, () -> pane);
    this.candidates = new Candidates(capacity, stripes, budgets);
    this.judge = new Judge(stripes, budgets, candidates, listener);
    this.audit = new Audit(stripes, capacity);
    this.single = settings.stripes() == 1;
    this.ordinary = settings.early() ? 0 : Audit.SAMPLE_MASK;
    this.rollup = settings.rollup() ? new PrefixRollup(settings, keyHash, ticker) : null;
    this.pane = Pane.first(new Limits(settings), ticker.nanos());
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
    Verdict verdict = count(hash, key, weight);
    if (rollup != null) {
      rollup.touch(key, weight);
    }
    return verdict;
  }

  /** Counts one touch of the key that the text's UTF-8 is. */
  public Verdict touch(CharSequence key) {
    return touch(key, 1);
  }

  /** Counts a touch of a given weight of the key that the text's UTF-8 is. */
  public Verdict touch(CharSequence key, long weight) {
    Verdict verdict = count(keyHash.hash(key), key, weight);
    if (rollup != null) {
      rollup.touch(key, weight);
    }
    return verdict;
  }

  /** Counts a touch of a key whose hash by {@link #keyHash} is known; it is not checked. */
  public Verdict touch(long hash, byte[] key, long weight) {
    Verdict verdict = count(hash, key, weight);
    if (rollup != null) {
      rollup.touch(key, weight);
    }
    return verdict;
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
    long error = Math.min(touches, now.limits.errorBound(stripes.inWindow(now.epoch)));
    boolean atLeast = stripes.isSaturated(hash, now.epoch);
    return new Estimate(touches, error, atLeast, now.limits.rate(touches));
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
    DetectorSettings settings = now.limits.settings;
    return stripes.counts(settings, now.epoch, WindowCounts.fold(settings, maxCells));
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
    Pane now = present(ticker.nanos());
    Limits limits = now.limits;
    long inWindow = stripes.inWindow(now.epoch);
    long bound = limits.errorBound(inWindow);
    AuditReport audited = audit.report(now);
    List<Candidate> all = candidates.all();
    return new DetectorStats(
        stripes.touches(),
        inWindow,
        (int) all.stream().filter(Candidate::isHot).count(),
        (int) all.stream().filter(c -> c.state() == Candidate.UNCERTAIN).count(),
        all.size(),
        judge.untracked(),
        candidates.admissions(),
        candidates.drops(),
        judge.faults(),
        inWindow >= limits.overloadAt,
        limits.sufficientWidth(inWindow),
        bound,
        limits.rate(audited.keys() == 0 ? bound : audited.maxError()),
        bytes());
  }

  /** Returns the settings that hold now. */
  public DetectorSettings settings() {
    return pane.limits.settings;
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
    Pane last;
    Pane next;
    do {
      last = pane;
      DetectorSettings settings = last.limits.settings;
      boolean sameWindow = settings.window().equals(window);
      var limits = new Limits(settings.toBuilder().window(window).threshold(threshold).build());
      next = sameWindow ? last.withThreshold(limits) : last.withWindow(limits, ticker.nanos());
    } while (!PANE.compareAndSet(this, last, next));
    budgets.close();
    if (rollup != null) {
      rollup.retune(window, threshold);
    }
  }

  /** Turns the pane if it is over and lets keys cool that nobody touches; call it now and then. */
  public void maintain() {
    long now = ticker.nanos();
    Pane last = pane;
    if (last.isOver(now)) {
      PANE.compareAndSet(this, last, last.at(now));
    }
    review(now);
    if (rollup != null) {
      rollup.maintain();
    }
  }

  /** Returns the most memory that this detector takes. */
  public long bytes() {
    int capacity = Candidates.capacity(settings().topK());
    return Stripes.bytes(settings(), capacity + Audit.CAPACITY)
        + Candidates.bytes(capacity)
        + Audit.bytes()
        + Pane.bytes()
        + 1024
        + (rollup == null ? 0 : rollup.bytes());
  }

  private Verdict count(long hash, Object key, long weight) {
    long mixed = Slot.mix(hash);
    if ((mixed & ordinary) == 0 || weight >>> (Integer.SIZE - 1) != 0) {
      return countSpecial(hash, mixed, key, weight);
    }
    long now = ticker.nanos();
    present(now);
    WindowedStripe stripe = stripes.enter();
    Pane present = pane;
    long own = stripe.add(hash, weight, present.epoch);
    SlotIndex<Candidate> kept = candidates.index();
    int number = kept.number(hash);
    boolean due = countKept(stripe, kept, number, weight, own, now);
    long room = stripe.room(number, own);
    stripe.unlock();
    // By the sign alone: which keys are kept and hot comes in no order that could be foretold.
    Candidate candidate = kept.at(number);
    Verdict told = candidate.told;
    long nobody = (number - 1L) >> (Long.SIZE - 1);
    long called = (present.called(own, mixed) & nobody) | (room & ~told.listed);
    if (!due && called >= 0) {
      return told;
    }
    return judge.verdict(present, now, hash, mixed, key, own, 0, due, room < 0, candidate);
  }

  /** Counts a touch of a key that the audit follows, or of a weight that must be looked at. */
  private Verdict countSpecial(long hash, long mixed, Object key, long weight) {
    if (weight < 0) {
      throw new IllegalArgumentException("weight must not be negative: " + weight);
    }
    long now = ticker.nanos();
    present(now);
    Audit.Followed followed = Audit.isSampled(mixed) ? audit.follow(hash, pane) : null;
    long counted = Math.min(weight, Integer.MAX_VALUE);
    WindowedStripe stripe = stripes.enter();
    Pane present = pane;
    long own = stripe.add(hash, counted, present.epoch);
    long inPane = WindowedStripe.present(stripe.estimate(hash, present.epoch));
    SlotIndex<Candidate> kept = candidates.index();
    int number = kept.number(hash);
    boolean due = countKept(stripe, kept, number, counted, own, now);
    boolean over = stripe.room(number, own) < 0;
    if (followed != null) {
      stripe.addExact(followed.number, followed.generation, counted, own, now);
    }
    stripe.unlock();
    Verdict verdict =
        judge.verdict(present, now, hash, mixed, key, own, inPane, due, over, kept.at(number));
    if (followed != null) {
      audit.check(followed, present, verdict);
    }
    return verdict;
  }

  /**
   * Counts a touch exactly if its key has a number; returns whether its verdict is to be renewed,
   * or the key may contest a place.
   */
  private boolean countKept(
      WindowedStripe stripe,
      SlotIndex<Candidate> kept,
      int number,
      long weight,
      long own,
      long now) {
    if (!stripe.addExact(number, kept.generation(number), weight, own, now)) {
      return false;
    }
    if (number != 0) {
      stripe.renewed(number, own);
      return true;
    }
    long bar = candidates.admitAt();
    stripe.setBar(bar);
    return own >= bar && (single || !candidates.isFull() || stripe.everyNth(CONTEST_EVERY));
  }

  /** Returns the pane that holds a reading; whoever turns it also reviews the kept keys. */
  private Pane present(long now) {
    Pane last = pane;
    return last.isOver(now) ? turn(last, now) : last;
  }

  private Pane turn(Pane last, long now) {
    if (PANE.compareAndSet(this, last, last.at(now))) {
      review(now);
    }
    return pane;
  }

  private void review(long now) {
    Pane present = pane;
    judge.review(present, now);
    candidates.refresh(present);
    audit.review(present);
  }
}
