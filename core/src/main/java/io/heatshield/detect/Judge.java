package io.heatshield.detect;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Decides whether a key is hot by its counts in all stripes, and calls the listeners. */
final class Judge {
  /*
   * Why no key is missed across stripes. Let T be the count that makes a key hot and n the number
   * of stripes. A touch adds to one stripe under its lock. If that stripe has then counted T/n of
   * the key, the touch sets the key's warm flag, whatever the key's verdict is. A touch of a key
   * that is not hot is judged by the sum over all stripes if it set the flag, or found it set
   * after it had the lock. A sum visits every stripe under its lock.
   *
   * When a key's count reaches T, some stripe has T/n, so some touch has set the flag. The flag
   * outlives the window, see Pane. A touch that finds the key hot returns a hot verdict, so only
   * the other touches matter. We say that touch A misses touch B if A's sum visited B's stripe
   * before B counted there. Then A counted before B, by the order of that lock. So misses form no
   * cycle, and among the touches that sum there is one that misses no other of them. This touch
   * also misses no touch B that did not sum: the flag was set before the visit to B's stripe, so B,
   * which locked that stripe later, would have seen the flag. So this sum includes every touch. The
   * locks order sums and touches, so an unlock can be a release, and no touch needs a full fence.
   *
   * If a key cools by an old sum while a touch brings it to T, nothing is missed: either that touch
   * still found the key hot, or it is judged by the flag like any other.
   *
   * Why a kept verdict is not below the truth. A touch that is not due returns the published
   * verdict, see WindowedStripe.keepVerdict. A stripe keeps a verdict only after its publication,
   * and the verdict includes the stripe's estimate x at that time. So every touch that has ended is
   * in a stripe below x + x/16, or was due and is in a verdict that it has published. Of all these
   * verdicts, the one whose sum began last includes the x of every stripe, and Candidate never
   * replaces it by one from earlier counts of the same pane. Its estimate, a sum that is rounded up
   * by 1/16, is therefore at least the estimates of all stripes. Pinned by VerdictPropertyTest.
   *
   * overloaded   volatile hint: keys without a place are then UNCERTAIN and contest no place
   *
   * Pinned by HotKeyDetectorStress, StripedDecisionTest and StripedDecisionPropertyTest.
   */
  private final DetectorStripes stripes;
  private final Candidates candidates;
  private final HotKeyListeners listeners;
  private final LongAdder untracked = new LongAdder();
  private volatile boolean overloaded;

  Judge(DetectorStripes stripes, Candidates candidates, HotKeyListeners listeners) {
    this.stripes = stripes;
    this.candidates = candidates;
    this.listeners = listeners;
  }

  /** Returns the number of touches of hot keys without a place. */
  long untracked() {
    return untracked.sum();
  }

  /** Returns the number of exceptions that the listeners threw. */
  long faults() {
    return listeners.faults();
  }

  /**
   * Returns the verdict on a counted touch of a tracked key.
   *
   * @param own the estimate of the touch's own stripe
   * @param due whether a verdict that is not cool is due for renewal
   */
  Verdict verdictOnTracked(Pane pane, long now, Candidate candidate, long own, boolean due) {
    long counted = WindowedStripe.total(own);
    boolean warm = pane.isWarm(candidate.hash, counted);
    Verdict last = candidate.verdict();
    boolean judged =
        switch (last.kind()) {
          case COOL -> warm || mayBeEarly(pane, now, own);
          case EARLY -> due || counted >= pane.share;
          case UNCERTAIN, HOT -> due;
        };
    return judged ? renew(pane, now, candidate) : last;
  }

  /**
   * Returns whether a counted touch of a key without a place must be judged by all stripes, unless
   * the key may contest a place.
   *
   * @param own the estimate of the touch's own stripe
   */
  boolean mayBeHot(Pane pane, long now, long hash, long own) {
    return pane.isWarm(hash, WindowedStripe.total(own)) || mayBeEarly(pane, now, own);
  }

  /**
   * Returns the verdict on a counted touch of a key without a place.
   *
   * @param contest whether the key may contest a place
   */
  Verdict verdictOnOther(Pane pane, long now, long hash, Object key, boolean contest) {
    long sum = stripes.sum(hash, pane.epoch);
    boolean hot = sum >= pane.hotAt;
    boolean reached = hot || isEarly(pane, now, hash, 1);
    if (overloaded && !contest) {
      return reached ? Verdict.untracked(Kind.UNCERTAIN, pane, sum) : Verdict.COOL;
    }
    if (reached || (contest && sum >= candidates.bar())) {
      boolean urgent = hot || (reached && !overloaded);
      Candidate candidate = candidates.admit(hash, key, sum, pane, now, urgent);
      if (candidate != null) {
        return renew(pane, now, candidate);
      }
    }
    return reached ? untrackedVerdict(pane, sum, hot) : Verdict.COOL;
  }

  /** Judges every tracked key, so that keys which are not touched cool. */
  void review(Pane pane, long now) {
    overloaded = isOverloaded(pane, stripes.inWindow(pane.epoch));
    for (Candidate candidate : candidates.all()) {
      Verdict last = candidate.verdict();
      if (stripes.age(candidate.number, now) >= pane.windowNanos) {
        cool(pane, now, candidate, last);
      } else {
        renew(pane, now, candidate);
      }
    }
  }

  /** Returns a report on a tracked key. */
  KeyReport report(Pane pane, long now, Candidate candidate) {
    return report(pane, now, candidate, candidate.verdict());
  }

  /**
   * Returns a report on a tracked key.
   *
   * @param timed the verdict since which the key is or was hot
   */
  private KeyReport report(Pane pane, long now, Candidate candidate, Verdict timed) {
    long sum = stripes.sum(candidate.hash, pane.epoch);
    long guaranteed = Math.min(sum, stripes.exact(candidate.number, pane.epoch));
    long error = pane.errorBound(stripes.inWindow(pane.epoch));
    return new KeyReport(
        candidate.key,
        candidate.verdict().kind(),
        sum,
        Math.min(error, sum - guaranteed),
        guaranteed,
        stripes.isSaturated(candidate.hash, pane.epoch),
        pane.rate(sum),
        timed == Verdict.COOL ? Duration.ZERO : since(timed.sinceNanos(), now),
        since(candidate.firstSeenNanos, now),
        Duration.ofNanos(stripes.age(candidate.number, now)),
        now);
  }

  private static Duration since(long then, long now) {
    return Duration.ofNanos(Math.max(0, now - then));
  }

  private Verdict untrackedVerdict(Pane pane, long sum, boolean hot) {
    overloaded = isOverloaded(pane, stripes.inWindow(pane.epoch));
    if (overloaded) {
      return Verdict.untracked(Kind.UNCERTAIN, pane, sum);
    }
    untracked.increment();
    return Verdict.untracked(hot ? Kind.HOT : Kind.EARLY, pane, sum);
  }

  /** Judges a tracked key by its current counts. */
  private Verdict renew(Pane pane, long now, Candidate candidate) {
    // Read before the sum: a verdict that another thread sets later must not be undone by it.
    Verdict last = candidate.verdict();
    boolean wasHot = last.isHot();
    long sum = stripes.sum(candidate.hash, pane.epoch);
    long bar = wasHot ? pane.coolBelow : pane.hotAt;
    double earlyPart = wasHot ? pane.settings.exit() : 1;
    boolean early = sum < bar && isEarly(pane, now, candidate.hash, earlyPart);
    boolean keptHot = sum < bar && !early && wasHot && pane.epoch < pane.coolFrom;
    if (sum < bar && !early && !keptHot) {
      cool(pane, now, candidate, last);
      return Verdict.COOL;
    }
    long guaranteed = Math.min(sum, stripes.exact(candidate.number, pane.epoch));
    long inWindow = stripes.inWindow(pane.epoch);
    overloaded = isOverloaded(pane, inWindow);
    Kind kind = Kind.HOT;
    if (isOverloaded(pane, inWindow) && guaranteed < bar && !keptHot) {
      kind = Kind.UNCERTAIN;
    } else if (early) {
      kind = Kind.EARLY;
    } else if (sum < pane.hotAt) {
      kind = last.kind();
    }
    long error = Math.min(pane.errorBound(inWindow), sum - guaranteed);
    long since = last.kind() == Kind.COOL ? now : last.sinceNanos();
    Verdict verdict = Verdict.tracked(kind, pane, sum, error, guaranteed, since);
    if (kind == Kind.UNCERTAIN) {
      if (wasHot) {
        cool(pane, now, candidate, last);
      }
      candidate.doubt(verdict);
    } else if (candidate.raise(verdict)) {
      listeners.turnedHot(report(pane, now, candidate));
      candidate.finishRise();
    }
    return verdict;
  }

  private void cool(Pane pane, long now, Candidate candidate, Verdict last) {
    if (candidate.cool(last)) {
      listeners.cooled(report(pane, now, candidate, last));
      candidate.finishFall();
    }
  }

  private static boolean isOverloaded(Pane pane, long inWindow) {
    return inWindow >= pane.overloadAt;
  }

  /** Returns whether one stripe's part of the last panes requires a sum over all stripes. */
  private boolean mayBeEarly(Pane pane, long now, long own) {
    if (!pane.settings.early()) {
      return false;
    }
    int full = pane.fullPanesForASecond(now);
    long part = full == 0 ? WindowedStripe.current(own) : WindowedStripe.total(own);
    return (double) part * stripes.count() >= pane.atThreshold(now, full);
  }

  /**
   * Returns whether the rate in the current pane reaches a part of the threshold. A pane that is
   * younger than a second is combined with full panes before it, so that they span a second.
   */
  private boolean isEarly(Pane pane, long now, long hash, double part) {
    if (!pane.settings.early()) {
      return false;
    }
    int full = pane.fullPanesForASecond(now);
    return stripes.sumOfPanes(hash, pane.epoch, full) >= pane.atThreshold(now, full) * part;
  }
}
