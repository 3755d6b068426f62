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

/** The detector: no touch is lost, no key at the threshold is missed, each change is one event. */
public final class HotKeyDetectorStress {
  private HotKeyDetectorStress() {}

  /** Two touches in two stripes, neither of them enough alone: one of them must see a hot key. */
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

  /** One touch below its stripe's share against one that exceeds it. */
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

  /** As {@link LittleAgainstMost}, for a cool key that has an entry in the table. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of the touches saw both")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the key is missed")
  @State
  public static class LittleAgainstMostOfATrackedKey {
    private final DetectorSubject detector = DetectorSubject.create(2);

    public LittleAgainstMostOfATrackedKey() {
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

  /** Two touches against the end of a pane: both stay in the window. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "every touch is counted once")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled by the turn")
  @State
  public static class TouchAgainstPaneEnd {
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

  /** Two touches that each make the key hot: one event, and both verdicts are hot. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "reported once")
  @Outcome(expect = FORBIDDEN, desc = "reported twice or not at all")
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
    public void reported(III_Result r) {
      r.r3 = detector.reports();
    }
  }
}
