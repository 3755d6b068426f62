package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** The ring: no race loses a touch. */
public final class HotRingStress {

  private HotRingStress() {}

  /** Two first touches of a new key. */
  @JCStressTest
  @Outcome(
      id = {"1, 2, 2", "2, 1, 2"},
      expect = ACCEPTABLE,
      desc = "one brings the key in, the other finds it")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost, or counted on an entry of its own")
  @State
  public static class InsertAgainstInsert {
    private final RingSubject ring = RingSubject.create();

    @Actor
    public void one(JJJ_Result r) {
      r.r1 = ring.touch("k");
    }

    @Actor
    public void other(JJJ_Result r) {
      r.r2 = ring.touch("k");
    }

    @Arbiter
    public void count(JJJ_Result r) {
      r.r3 = ring.count("k");
    }
  }

  /** A touch against a remove: the removed and the remaining count are the sum of all touches. */
  @JCStressTest
  @Outcome(
      id = {"2, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "the touch is before or after")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled")
  @State
  public static class TouchAgainstRemove {
    private final RingSubject ring = touchedOnce();

    @Actor
    public void touch() {
      ring.touch("k");
    }

    @Actor
    public void remove(JJ_Result r) {
      r.r1 = ring.remove("k");
    }

    @Arbiter
    public void count(JJ_Result r) {
      r.r2 = ring.count("k");
    }
  }

  /** Two touches while a slot ends whose counts stay in the window. */
  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "every touch is in the window")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled by the turn")
  @State
  public static class TouchAgainstSlotEnd {
    private final RingSubject ring = touchedOnce();

    @Actor
    public void touch() {
      ring.touch("k");
    }

    @Actor
    public void turnAndTouch() {
      ring.turnSlot();
      ring.touch("k");
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = ring.count("k");
    }
  }

  /**
   * Two touches while a generation ends: the later one counts, the earlier one may have expired.
   */
  @JCStressTest
  @Outcome(
      id = {"1", "2"},
      expect = ACCEPTABLE,
      desc = "what came before the turn has lapsed, and nothing else")
  @Outcome(expect = FORBIDDEN, desc = "a touch after the turn is lost, or one before it stays")
  @State
  public static class TouchAgainstRotate {
    private final RingSubject ring = touchedOnce();

    @Actor
    public void touch() {
      ring.touch("k");
    }

    @Actor
    public void rotateAndTouch() {
      ring.turnGeneration();
      ring.touch("k");
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = ring.count("k");
    }
  }

  /** Two calls when only one more is below the limit. */
  @JCStressTest
  @Outcome(
      id = {"2, -1", "-1, 2"},
      expect = ACCEPTABLE,
      desc = "one is admitted")
  @Outcome(expect = FORBIDDEN, desc = "both are admitted, or none")
  @State
  public static class ClampAgainstClamp {
    private final RingSubject ring = touchedOnce();

    @Actor
    public void one(JJ_Result r) {
      r.r1 = ring.clamp("k", 2);
    }

    @Actor
    public void other(JJ_Result r) {
      r.r2 = ring.clamp("k", 2);
    }
  }

  private static RingSubject touchedOnce() {
    RingSubject ring = RingSubject.create();
    ring.touch("k");
    return ring;
  }
}
