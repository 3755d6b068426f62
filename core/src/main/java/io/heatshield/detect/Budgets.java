package io.heatshield.detect;

import io.heatshield.time.SpinWait;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Shares out among the stripes what a kept key may count before a touch of it must be judged by all
 * of them.
 *
 * <p>So a key between a stripe's part of the threshold and the threshold itself is summed a few
 * dozen times in a window and not at every touch.
 */
final class Budgets {
  /*
   * Let T be the count that makes a key hot, n the stripes, and judgeAt[i] what stripe i must have counted of a kept key
   * before its touches are judged (see ExactSlots). The sum of all judgeAt[i] - 1 stays below T, or judgeAt[i] is 0 and
   * every touch there is judged; so when no touch was judged the key has not reached T.
   *
   * Sharing out anew closes the stripes one by one, each under its lock, and notes what it had counted; then it opens
   * them one by one with an equal part of what is left to T. At each moment of that the sum is below T. Only one thread
   * does so at a time, since parts by two sums would not add up.
   *
   * Let B be a touch that brings a key to T and is not judged. Before it somebody counted past a judgeAt, or the sum
   * above would not be below T; say A did so last. A is judged and waits for its turn here. If A has not closed B's stripe
   * when B counts, A's sum has B. If A has, B would have found it closed, unless A had opened it again; then B is within
   * what A left to T, and somebody else has counted past their part since A's visit, who is judged after A and has B. So
   * a touch that is under way when B counts, or B itself, has a sum of at least T.
   *
   * Touches of a listed key are not judged, so a stripe may be past its part when the key cools. Who cools it closes all
   * stripes first, and nobody opens those of a listed key. A key that leaves the table is closed in the same way, and
   * flagged as warm (see Judge) if a stripe has its share, in the pane that is present under that stripe's lock: the flag
   * outlives what was counted until then, and whatever is counted later is judged and sets the flag itself. A change of
   * the threshold publishes its pane and then closes all keys: who shares out later reads the new one.
   *
   * A touch reads what its key is told after it has given its stripe back. Told hot, it is not cool. Told cool, it was
   * judged if its stripe was closed when it counted; if not, it counted before the closing, and who cooled the key by
   * less than T has it. So state and told verdict change here alone, after the closing.
   *
   * Pinned by BudgetsTest, BudgetsPropertyTest and HotKeyDetectorStress.
   *
   * busy      take: CAS, volatile   give back: volatile
   * counted   plain, belongs to who has taken it
   */
  private final Stripes stripes;
  private final Supplier<Pane> panes;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final long[] counted;

  Budgets(Stripes stripes, Supplier<Pane> panes) {
    this.stripes = stripes;
    this.panes = panes;
    this.counted = new long[stripes.count()];
  }

  /** Shares out what a cool key may count; returns its estimate over all stripes. */
  long share(Candidate candidate) {
    take();
    Pane pane = panes.get();
    long sum = 0;
    for (int i = 0; i < counted.length; i++) {
      counted[i] = close(candidate, i, false);
      sum += counted[i];
    }
    long part = (pane.limits.hotAt - 1 - sum) / counted.length;
    if (part > 0 && candidate.state() == Candidate.COOL) {
      for (int i = 0; i < counted.length; i++) {
        WindowedStripe stripe = stripes.at(i);
        stripe.lock();
        stripe.open(candidate, counted[i] + part + 1);
        stripe.unlock();
      }
    }
    giveBack();
    return sum;
  }

  /** Tells touches that a key is hot, unless it is leaving; returns whether it was not before. */
  boolean rise(Candidate candidate, Verdict verdict) {
    take();
    boolean rose =
        candidate.move(Candidate.COOL, Candidate.RISING)
            || candidate.move(Candidate.UNCERTAIN, Candidate.RISING);
    if (candidate.isListed()) {
      candidate.told = verdict;
    }
    giveBack();
    return rose;
  }

  /** Tells touches that a key which was cool is uncertain. */
  void doubt(Candidate candidate, Verdict verdict) {
    take();
    if (candidate.move(Candidate.COOL, Candidate.UNCERTAIN)) {
      candidate.told = verdict;
    }
    giveBack();
  }

  /** Lets a listed key cool if nothing has moved since a moment; returns whether it was hot. */
  boolean cool(Candidate candidate, int moment) {
    take();
    closeAll(candidate, false);
    boolean fell = !candidate.move(Candidate.UNCERTAIN, Candidate.COOL) && candidate.fall(moment);
    hush(candidate);
    giveBack();
    return fell;
  }

  /** Lets a key give up its place unless it is hot. */
  boolean leave(Candidate candidate) {
    take();
    closeAll(candidate, true);
    boolean left = candidate.leave();
    hush(candidate);
    giveBack();
    return left;
  }

  /** Has every touch judged until it is shared out anew; after another threshold was published. */
  void close() {
    take();
    for (int i = 0; i < counted.length; i++) {
      WindowedStripe stripe = stripes.at(i);
      stripe.lock();
      stripe.closeAll();
      stripe.unlock();
    }
    giveBack();
  }

  private static void hush(Candidate candidate) {
    if (!candidate.isListed()) {
      candidate.told = Verdict.COOL;
    }
  }

  private void closeAll(Candidate candidate, boolean flags) {
    for (int i = 0; i < counted.length; i++) {
      long unused = close(candidate, i, flags);
    }
  }

  /** Has every touch of a key in one stripe judged; returns what the stripe has counted. */
  private long close(Candidate candidate, int i, boolean flags) {
    WindowedStripe stripe = stripes.at(i);
    stripe.lock();
    Pane pane = panes.get();
    long sum = stripe.close(candidate, pane.epoch);
    if (flags && sum >= pane.share) {
      pane.setWarm(Slot.mix(candidate.hash));
    }
    stripe.unlock();
    return sum;
  }

  private void take() {
    for (int round = 0; !busy.compareAndSet(false, true); round++) {
      SpinWait.pause(round);
    }
  }

  private void giveBack() {
    busy.set(false);
  }
}
