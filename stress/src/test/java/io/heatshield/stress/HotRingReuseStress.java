package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A cell that one key frees and another takes: concurrent touches count for the right key. */
public final class HotRingReuseStress {

  private HotRingReuseStress() {}

  /** A touch of the key that frees the cell. */
  @JCStressTest
  @Outcome(
      id = {"2, 0, 1", "1, 1, 1"},
      expect = ACCEPTABLE,
      desc = "the touch is before or after the remove")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost, or counted on the other key")
  @State
  public static class TouchOfTheOldKey {
    private final RingSubject ring = touchedOnce();
    private final String next = ring.neighbour("k");

    @Actor
    public void touch() {
      ring.touch("k");
    }

    @Actor
    public void replace(JJJ_Result r) {
      r.r1 = ring.remove("k");
      ring.touch(next);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r2 = ring.count("k");
      r.r3 = ring.count(next);
    }
  }

  /** A touch of the key that takes the cell. */
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "both touches are in its count")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost, or counted on the other key")
  @State
  public static class TouchOfTheNewKey {
    private final RingSubject ring = touchedOnce();
    private final String next = ring.neighbour("k");

    @Actor
    public void touch() {
      ring.touch(next);
    }

    @Actor
    public void replace(JJJ_Result r) {
      r.r1 = ring.remove("k");
      ring.touch(next);
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r2 = ring.count("k");
      r.r3 = ring.count(next);
    }
  }

  private static RingSubject touchedOnce() {
    RingSubject ring = RingSubject.withRoom();
    ring.touch("k");
    return ring;
  }
}
