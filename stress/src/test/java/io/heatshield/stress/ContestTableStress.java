package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJZ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** The contest table: no touch of a tracked key is lost, no slot is used twice. */
public final class ContestTableStress {

  private ContestTableStress() {}

  /** Two touches of one key. */
  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "every touch is in the score")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost")
  @State
  public static class TouchAgainstTouch {
    private final ContestSubject table = held(2, 1);

    @Actor
    public void one() {
      table.touch("k", 1);
    }

    @Actor
    public void other() {
      table.touch("k", 1);
    }

    @Arbiter
    public void score(J_Result r) {
      r.r1 = table.find("k");
    }
  }

  /**
   * A touch of the only entry against a new key that evicts it. The touch cannot admit the key
   * again: its score is too low.
   */
  @JCStressTest
  @Outcome(id = "0, 100, true", expect = ACCEPTABLE, desc = "the eviction is reported")
  @Outcome(expect = FORBIDDEN, desc = "both are in, neither is in, or no eviction is reported")
  @State
  public static class TouchAgainstEviction {
    private final ContestSubject table = held(1, 1);

    @Actor
    public void touch() {
      table.touch("k", 1);
    }

    @Actor
    public void evict() {
      table.touch("newcomer", 100);
    }

    @Arbiter
    public void entries(JJZ_Result r) {
      r.r1 = table.find("k");
      r.r2 = table.find("newcomer");
      r.r3 = table.isEvicted();
    }
  }

  private static ContestSubject held(int slots, long weight) {
    ContestSubject table = ContestSubject.create(slots);
    table.touch("k", weight);
    table.keep("k");
    return table;
  }
}
