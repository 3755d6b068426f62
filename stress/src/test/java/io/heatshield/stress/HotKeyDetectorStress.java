package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** The detector: no touch is lost, no key at the threshold is missed, each turn is told once. */
public final class HotKeyDetectorStress {
  private HotKeyDetectorStress() {}

  /** Two touches in two stripes, neither of them enough alone: one of them must be told. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of the touches saw both")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the key is missed")
  @State
  public static class HalfAgainstHalf {
    private final DetectorSubject detector = DetectorSubject.create(2);

    @Actor
    public void one(II_Result r) {
      r.r1 = detector.touch(0, 2);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = detector.touch(1, 2);
    }
  }

  /** One touch below its stripe's share against one that jumps over it. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of the touches saw both")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the key is missed")
  @State
  public static class LittleAgainstMost {
    private final DetectorSubject detector = DetectorSubject.create(2);

    @Actor
    public void one(II_Result r) {
      r.r1 = detector.touch(0, 1);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = detector.touch(1, 3);
    }
  }

  /** The same for a key that has a place in the table and is cool. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of the touches saw both")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the key is missed")
  @State
  public static class LittleAgainstMostOfAKeptKey {
    private final DetectorSubject detector = DetectorSubject.create(2);

    public LittleAgainstMostOfAKeptKey() {
      detector.touch(0, 1);
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = detector.touch(0, 1);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = detector.touch(1, 2);
    }
  }

  /** Two touches against a turn of the pane: both stay in the window. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "every touch is counted once")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled by the turn")
  @State
  public static class TouchAgainstTurn {
    private final DetectorSubject detector = DetectorSubject.create(2);

    @Actor
    public void touch() {
      detector.touch(0, 1);
      detector.touch(0, 1);
    }

    @Actor
    public void turn() {
      detector.turn();
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = detector.estimate();
    }
  }

  /** Two touches that each make the key hot: the listener hears of it once, both are told. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "told once")
  @Outcome(expect = FORBIDDEN, desc = "told twice or not at all")
  @State
  public static class HotAgainstHot {
    private final DetectorSubject detector = DetectorSubject.create(2);

    @Actor
    public void one(III_Result r) {
      r.r1 = detector.touch(0, DetectorSubject.HOT_AT);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = detector.touch(1, DetectorSubject.HOT_AT);
    }

    @Arbiter
    public void told(III_Result r) {
      r.r3 = detector.told();
    }
  }
}
