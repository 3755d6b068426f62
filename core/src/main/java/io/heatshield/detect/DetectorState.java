package io.heatshield.detect;

import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The counts, the tracked keys and the current pane of one detector; keys are counted by their
 * hashes. The contract of each method is that of {@link HotKeyDetector}.
 */
final class DetectorState {
  /*
   * One touch: turn the pane if it is over, lock a stripe, count in its sketch, count exactly if
   * the key has a place, unlock the stripe, and get the verdict from the judge.
   *
   * pane   read and replaced by CAS, volatile. A touch reads it again after locking its stripe,
   *        which orders it after every sum that has visited the stripe, so it sees the flags that
   *        those sums rely on, see Judge. Pinned by HotKeyDetectorStress.
   *
   * Methods that read compute the pane of the time, but do not publish it, because the thread that
   * does so reviews the keys and calls listeners. A sum for such a pane may turn a stripe first;
   * touches then count in the stripe's later pane.
   */
  private final Ticker ticker;
  private final DetectorStripes stripes;
  private final Candidates candidates;
  private final Judge judge;
  private final Audit audit;
  private final AtomicReference<Pane> pane;

  DetectorState(DetectorSettings settings, Ticker ticker, HotKeyListeners listeners) {
    int capacity = Candidates.capacity(settings.topK());
    this.ticker = ticker;
    this.stripes = new DetectorStripes(settings, capacity + Audit.CAPACITY);
    this.candidates = new Candidates(capacity, stripes);
    this.judge = new Judge(stripes, candidates, listeners);
    this.audit = new Audit(stripes, capacity);
    this.pane = new AtomicReference<>(Pane.first(settings, ticker.nanos()));
  }

  /**
   * Counts a touch of a key.
   *
   * @param key the key as an array, a buffer or text; null if it is the number
   */
  Verdict count(long hash, @Nullable Object key, long number, long weight) {
    if (weight < 0) {
      throw new IllegalArgumentException("weight must not be negative: " + weight);
    }
    int counted = (int) Math.min(weight, Integer.MAX_VALUE);
    long now = ticker.nanos();
    Pane before = turnedPane(now);
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
    Verdict verdict = Verdict.COOL;
    if (kept != null) {
      verdict = judge.verdictOnTracked(current, now, kept, own, due);
      if (due && verdict != Verdict.COOL) {
        keep(verdict, kept, stripe, ownTouches, current.epoch);
      }
    } else if (judge.mayBeHot(current, now, hash, own) || due) {
      verdict = judge.verdictOnOther(current, now, hash, named(key, number), due);
    }
    if (audited != null) {
      audit.check(audited, current, verdict);
    }
    return verdict;
  }

  Estimate estimate(long hash) {
    Pane now = paneOf(ticker.nanos());
    long touches = stripes.sum(hash, now.epoch);
    long error = Math.min(touches, now.errorBound(stripes.inWindow(now.epoch)));
    boolean atLeast = stripes.isSaturated(hash, now.epoch);
    return new Estimate(touches, error, atLeast, now.rate(touches));
  }

  Optional<KeyReport> explain(long hash) {
    long now = ticker.nanos();
    Pane current = paneOf(now);
    return Optional.ofNullable(candidates.find(hash))
        .map(candidate -> judge.report(current, now, candidate));
  }

  List<KeyReport> top(int n) {
    long now = ticker.nanos();
    Pane current = paneOf(now);
    return candidates.all().stream()
        .map(candidate -> judge.report(current, now, candidate))
        .filter(report -> report.estimate() > 0)
        .sorted(Comparator.comparingLong(KeyReport::estimate).reversed())
        .limit(n)
        .toList();
  }

  WindowCounts counts(int maxCells) {
    Pane now = paneOf(ticker.nanos());
    return stripes.counts(now.settings, now.epoch, WindowCounts.fold(now.settings, maxCells));
  }

  long floor() {
    return candidates.bar();
  }

  AuditReport audit() {
    return audit.report(paneOf(ticker.nanos()));
  }

  DetectorStats stats(long bytes) {
    return DetectorStats.of(paneOf(ticker.nanos()), stripes, candidates, judge, audit, bytes);
  }

  DetectorSettings settings() {
    return currentPane().settings;
  }

  void reconfigure(Duration window, long threshold) {
    pane.updateAndGet(last -> last.reconfigured(window, threshold, ticker.nanos()));
  }

  void maintain() {
    long now = ticker.nanos();
    pane.updateAndGet(last -> last.at(now));
    review(now);
  }

  /** Returns the most memory that a state with these settings takes. */
  static long bytes(DetectorSettings settings) {
    int capacity = Candidates.capacity(settings.topK());
    return DetectorStripes.bytes(settings, capacity + Audit.CAPACITY)
        + Candidates.bytes(capacity)
        + Audit.bytes()
        + Pane.bytes()
        + 1024;
  }

  /** Returns a key, which is a number's digits if there is no other. */
  static Object named(@Nullable Object key, long number) {
    return key == null ? Long.toString(number) : key;
  }

  /** Lets later touches in a stripe return a verdict, if it is published and its key tracked. */
  private void keep(
      Verdict verdict, Candidate of, WindowedStripe stripe, long ownTouches, long epoch) {
    if (of.verdict() != verdict) {
      return;
    }
    stripe.lock();
    if (candidates.find(of.hash) == of) {
      stripe.keepVerdict(of.number, ownTouches, epoch);
    }
    stripe.unlock();
  }

  /** Returns whether a key may contest a place, which costs a sum over all stripes. */
  private boolean mayContest(WindowedStripe stripe, long own) {
    return candidates.mayContest(own)
        && (stripes.count() == 1 || !candidates.isFull() || stripe.isOneInSixteen());
  }

  /** Returns the pane of a reading; the thread that turns the pane reviews the tracked keys. */
  private Pane turnedPane(long now) {
    Pane last = currentPane();
    if (last.isOver(now) && pane.compareAndSet(last, last.at(now))) {
      review(now);
    }
    return currentPane();
  }

  /** Returns the pane of a reading, without turning the detector's pane. */
  private Pane paneOf(long now) {
    return currentPane().at(now);
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
