package io.heatshield.detect;

import io.heatshield.detect.Verdict.Kind;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Decides what a key is by its counts in all stripes, and tells the listener of every turn. */
final class Judge {
  /*
   * No key is missed across stripes. Let T be the count that makes a key hot and n the stripes. A touch adds to one
   * stripe under its lock. If that stripe has then counted T/n of the key, the touch sets the key's warm flag. It is
   * judged by the sum over all stripes if it set the flag or found it set once it had the lock; a sum visits every
   * stripe under its lock.
   *
   * When a key's count reaches T, some stripe has T/n, so some touch sums. Say that a touch misses another if its sum
   * visited the other's stripe before the other counted there. If A misses B, A counted before B did, by the order of
   * that lock; so misses form no circle, and of the touches that sum one misses no other of them. Nor does it miss a
   * touch B that did not sum: the flag was set before the visit to B's stripe, and B, coming later to that lock, would
   * have seen it. So one sum has every touch. An unlock is a plain release: the locks order sums against touches, and
   * no touch pays for a full fence. Flags outlive the window, see Pane. Pinned by HotKeyDetectorStress. See ADR-0008.
   *
   * That is for keys without a place. What a kept key may count unjudged is shared out among the stripes instead, see
   * Budgets. Until a key is admitted its touches go by the flags; a stripe's lock orders each of them before the first
   * sharing out that closes the stripe, which so has it.
   *
   * overloaded   volatile hint: keys without a place are then told so, and contest none
   */
  private final Stripes stripes;
  private final Budgets budgets;
  private final Candidates candidates;
  private final HotKeyListener listener;
  private final LongAdder untracked = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private volatile boolean overloaded;

  Judge(Stripes stripes, Budgets budgets, Candidates candidates, HotKeyListener listener) {
    this.stripes = stripes;
    this.budgets = budgets;
    this.candidates = candidates;
    this.listener = listener;
  }

  long untracked() {
    return untracked.sum();
  }

  long faults() {
    return faults.sum();
  }

  /**
   * Returns the verdict of a touch that has been counted.
   *
   * @param own what the touch's own stripe has counted
   * @param inPane the present pane's part of it, if keys may be early
   * @param due whether the candidate's verdict is due for renewal, or the key may contest a place
   * @param over whether the touch is past its stripe's part of what the candidate may count
   * @param candidate the key's place, or nobody's
   */
  Verdict verdict(
      Pane present,
      long now,
      long hash,
      long mixed,
      Object key,
      long own,
      long inPane,
      boolean due,
      boolean over,
      Candidate candidate) {
    boolean single = stripes.count() == 1;
    boolean reached = own >= present.share;
    if (reached && !single) {
      present.setWarm(mixed);
    }
    boolean early = present.early && mayBeEarly(present, own, inPane, now);
    if (candidate != Candidate.NOBODY) {
      Verdict told = candidate.told;
      boolean renews = due || (reached && told.kind() == Kind.EARLY);
      return (told.kind() == Kind.COOL ? over || early : renews)
          ? decide(present, now, hash, key, own, false, candidate)
          : told;
    }
    boolean warm = !single && present.isWarm(mixed);
    if (!(reached || warm || due || early)) {
      return Verdict.COOL;
    }
    return !due && overloaded
        ? inOverload(present, now, hash, own)
        : decide(present, now, hash, key, own, due, null);
  }

  /**
   * Judges a touch by all stripes.
   *
   * @param own the estimate of the touch's own stripe
   * @param contest whether the key may contest a place
   */
  Verdict decide(
      Pane pane,
      long now,
      long hash,
      Object key,
      long own,
      boolean contest,
      @Nullable Candidate found) {
    Candidate candidate = found;
    if (candidate != null && !candidate.isListed()) {
      return renew(pane, now, candidate, budgets.share(candidate));
    }
    long sum = stripes.count() == 1 ? own : stripes.sum(hash, pane.epoch);
    if (candidate == null) {
      boolean hot = sum >= pane.limits.hotAt;
      boolean reached = hot || isEarly(pane, now, hash, false);
      if (reached || (contest && sum >= candidates.bar())) {
        boolean urgent = hot || (reached && !overloaded);
        candidate = candidates.admit(hash, key, sum, pane, now, urgent);
      }
      if (candidate == null) {
        return reached ? withoutPlace(pane, hot) : Verdict.COOL;
      }
    }
    return renew(pane, now, candidate, sum);
  }

  /** Judges every kept key, so that keys cool which nobody touches. */
  void review(Pane pane, long now) {
    overloaded = stripes.inWindow(pane.epoch) >= pane.limits.overloadAt;
    long window = pane.limits.windowNanos;
    for (Candidate candidate : candidates.all()) {
      int moment = candidate.moment();
      if (age(candidate, now) >= window) {
        cool(pane, now, candidate, moment);
      } else {
        renew(pane, now, candidate, stripes.sum(candidate.hash, pane.epoch));
      }
    }
  }

  KeyReport report(Pane pane, long now, Candidate candidate) {
    long sum = stripes.sum(candidate.hash, pane.epoch);
    long guaranteed = Math.min(sum, stripes.exact(candidate, pane.epoch));
    long error = pane.limits.errorBound(stripes.lastInWindow());
    long age = age(candidate, now);
    boolean atLeast = stripes.isSaturated(candidate.hash, pane.epoch);
    return candidate.report(
        pane.limits, sum, Math.min(error, sum - guaranteed), guaranteed, now - age, atLeast);
  }

  /** Returns how long ago a key was touched; the touch that won its place counts as one. */
  private long age(Candidate candidate, long now) {
    return stripes.age(candidate, now, Math.max(0, now - candidate.firstSeenNanos));
  }

  /** Judges a key without a place that does not contest one. */
  private Verdict inOverload(Pane pane, long now, long hash, long own) {
    long hotAt = pane.limits.hotAt;
    boolean reached =
        own >= hotAt || stripes.sum(hash, pane.epoch) >= hotAt || isEarly(pane, now, hash, false);
    return reached ? pane.untrackedUncertain : Verdict.COOL;
  }

  private Verdict withoutPlace(Pane pane, boolean hot) {
    overloaded = stripes.lastInWindow() >= pane.limits.overloadAt;
    if (overloaded) {
      return pane.untrackedUncertain;
    }
    untracked.increment();
    return hot ? pane.untrackedHot : pane.untrackedEarly;
  }

  private Verdict renew(Pane pane, long now, Candidate candidate, long counted) {
    Limits limits = pane.limits;
    int moment = candidate.moment();
    boolean wasHot = Candidate.isHotAt(moment);
    Verdict last = candidate.told;
    // What was counted before the key was seen hot may lack the touches that made it so.
    long sum = wasHot ? stripes.sum(candidate.hash, pane.epoch) : counted;
    long bar = wasHot ? limits.coolBelow : limits.hotAt;
    boolean early = sum < bar && isEarly(pane, now, candidate.hash, wasHot);
    boolean spared = sum < bar && !early && wasHot && pane.epoch < pane.coolFrom;
    if (sum < bar && !early && !spared) {
      cool(pane, now, candidate, moment);
      return Verdict.COOL;
    }
    if (spared && sum <= last.estimate()) {
      return last;
    }
    long guaranteed = Math.min(sum, stripes.exact(candidate, pane.epoch));
    long inWindow = stripes.lastInWindow();
    boolean over = inWindow >= limits.overloadAt;
    overloaded = over;
    Kind kind = Kind.HOT;
    if (over && guaranteed < bar && !spared) {
      kind = Kind.UNCERTAIN;
    } else if (early) {
      kind = Kind.EARLY;
    } else if (sum < limits.hotAt) {
      kind = last.kind();
    }
    long error = Math.min(limits.errorBound(inWindow), sum - guaranteed);
    long since = last.kind() == Kind.COOL ? now : last.sinceNanos();
    var verdict = new Verdict(kind, limits.rate(sum), sum, error, guaranteed, since, true);
    if (kind == Kind.UNCERTAIN) {
      doubt(pane, now, candidate, verdict, moment);
    } else {
      raise(pane, now, candidate, verdict);
    }
    return verdict;
  }

  private void raise(Pane pane, long now, Candidate candidate, Verdict verdict) {
    if (budgets.rise(candidate, verdict)) {
      tell(HotKeyListener::turnedHot, report(pane, now, candidate));
      candidate.move(Candidate.RISING, Candidate.HOT);
    }
  }

  private void doubt(Pane pane, long now, Candidate candidate, Verdict verdict, int moment) {
    cool(pane, now, candidate, moment);
    budgets.doubt(candidate, verdict);
  }

  /** Makes a key cool. */
  private void cool(Pane pane, long now, Candidate candidate, int moment) {
    if (Candidate.isListedAt(moment) && budgets.cool(candidate, moment)) {
      tell(HotKeyListener::cooled, report(pane, now, candidate));
      candidate.move(Candidate.FALLING, Candidate.COOL);
    }
  }

  /** Returns whether a stripe's part of the last panes is worth a closer look. */
  private boolean mayBeEarly(Pane present, long own, long inPane, long now) {
    int full = present.panesToASecond(now);
    double bar = present.limits.atThreshold(present.span(now, full));
    return (double) (full == 0 ? inPane : own) * stripes.count() >= bar;
  }

  /**
   * Returns whether the present pane alone shows the threshold's rate; one that is younger than a
   * second does so with as many before it as span a second.
   */
  private boolean isEarly(Pane pane, long now, long hash, boolean wasHot) {
    Limits limits = pane.limits;
    if (!limits.settings.early()) {
      return false;
    }
    int full = pane.panesToASecond(now);
    double bar = limits.atThreshold(pane.span(now, full)) * (wasHot ? limits.settings.exit() : 1);
    return stripes.sumOfPanes(hash, pane.epoch, full) >= bar;
  }

  private void tell(BiConsumer<HotKeyListener, KeyReport> event, KeyReport report) {
    try {
      event.accept(listener, report);
    } catch (RuntimeException e) {
      faults.increment();
    }
  }
}
