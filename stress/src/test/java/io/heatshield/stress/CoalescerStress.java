package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** The coalescer: callers own disjoint ranks, whichever thread sends the batch. */
public final class CoalescerStress {

  private CoalescerStress() {}

  /** Two callers of one counter, with or without a shared batch. */
  @JCStressTest
  @Outcome(
      id = {"1, 3, 3", "3, 2, 3"},
      expect = ACCEPTABLE,
      desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "both own the same rank, or one is lost")
  @State
  public static class JoinAgainstJoin {
    private final CoalescerSubject coalescer = CoalescerSubject.create();

    @Actor
    public void one(JJJ_Result r) {
      r.r1 = coalescer.add(1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r2 = coalescer.add(2);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r3 = coalescer.add(0);
    }
  }

  /** One caller that calls twice during the call of another, so it may find a batch in flight. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 3", "1, 3, 2", "2, 3, 1"},
      expect = ACCEPTABLE,
      desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "two own the same rank, or an earlier call comes later")
  @State
  public static class JoinTwiceAgainstJoin {
    private final CoalescerSubject coalescer = CoalescerSubject.create();

    @Actor
    public void twice(JJJ_Result r) {
      r.r1 = coalescer.add(1);
      r.r2 = coalescer.add(1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r3 = coalescer.add(1);
    }
  }

  /** Two event loops, which flush at the end of a turn. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 3", "1, 3, 2", "2, 3, 1"},
      expect = ACCEPTABLE,
      desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "two own the same rank, or an earlier call comes later")
  @State
  public static class JoinOnLoops {
    private final CoalescerSubject coalescer = CoalescerSubject.createOnLoops();

    @Actor
    public void twice(JJJ_Result r) {
      r.r1 = coalescer.add(1);
      r.r2 = coalescer.add(1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r3 = coalescer.add(1);
    }
  }
}
