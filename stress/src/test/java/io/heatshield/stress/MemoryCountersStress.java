package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.heatshield.limit.Algorithm;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Counters in memory: no race loses a hit from the count of its window. */
public final class MemoryCountersStress {

  private MemoryCountersStress() {}

  /** Two first hits of a window on the counter of an earlier window. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 2", "2, 1, 2"},
      expect = ACCEPTABLE,
      desc = "one turns the window, the other counts in it")
  @Outcome(expect = FORBIDDEN, desc = "a hit is lost, or the window is turned twice")
  @State
  public static class FirstHitAgainstFirstHit {
    private final CountersSubject counters = ended(Algorithm.FIXED_WINDOW, 10);

    @Actor
    public void one(JJJ_Result r) {
      r.r1 = counters.add("k", 1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r2 = counters.add("k", 1);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r3 = counters.add("k", 0);
    }
  }

  /** A hit against the clearing of its counter. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the hit is in the counter that is found")
  @Outcome(expect = FORBIDDEN, desc = "the hit went into a counter that is not reachable")
  @State
  public static class HitAgainstMaintain {
    private final CountersSubject counters = ended(Algorithm.FIXED_WINDOW, 10);

    @Actor
    public void hit(JJ_Result r) {
      r.r1 = counters.add("k", 1);
    }

    @Actor
    public void maintain() {
      counters.maintain();
    }

    @Arbiter
    public void count(JJ_Result r) {
      r.r2 = counters.add("k", 0);
    }
  }

  /** Two hits in a sliding window when only one more is allowed. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 1", "2, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one is admitted")
  @Outcome(expect = FORBIDDEN, desc = "both are admitted, or none")
  @State
  public static class SlidingAgainstSliding {
    private final CountersSubject counters = ended(Algorithm.SLIDING_WINDOW, 1);

    @Actor
    public void one(JJJ_Result r) {
      r.r1 = counters.add("k", 1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r2 = counters.add("k", 1);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r3 = counters.add("k", 0);
    }
  }

  /** Two hits in a bucket when only one more is allowed. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 1", "2, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one is admitted")
  @Outcome(expect = FORBIDDEN, desc = "both are admitted, or none")
  @State
  public static class BucketAgainstBucket {
    private final CountersSubject counters = ended(Algorithm.GCRA, 1);

    @Actor
    public void one(JJJ_Result r) {
      r.r1 = counters.add("k", 1);
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r2 = counters.add("k", 1);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r3 = counters.add("k", 0);
    }
  }

  /** Returns counters with one counter of a window that has ended. */
  private static CountersSubject ended(Algorithm algorithm, long limit) {
    CountersSubject counters = CountersSubject.create(algorithm, limit);
    counters.add("k", 1);
    counters.turn();
    return counters;
  }
}
