package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** The count-min sketch: never below the touches that were added. */
public final class CountMinSketchStress {
  private static final long KEY = 0x9e3779b97f4a7c15L;

  private CountMinSketchStress() {}

  /** Two threads increment one key in one stripe that they lock alternately. */
  @JCStressTest
  @Outcome(id = "4", expect = ACCEPTABLE, desc = "every touch is counted")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled")
  @State
  public static class AddAgainstAddInOneStripe {
    private final SketchSubject sketch = SketchSubject.create(1);

    @Actor
    public void one() {
      sketch.add(KEY);
      sketch.add(KEY);
    }

    @Actor
    public void other() {
      sketch.add(KEY);
      sketch.add(KEY);
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = sketch.estimate(KEY);
    }
  }

  /** Two threads increment one key in two stripes, mostly one each. */
  @JCStressTest
  @Outcome(id = "4", expect = ACCEPTABLE, desc = "every touch is counted")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled")
  @State
  public static class AddAgainstAddInTwoStripes {
    private final SketchSubject sketch = SketchSubject.create(2);

    @Actor
    public void one() {
      sketch.add(KEY);
      sketch.add(KEY);
    }

    @Actor
    public void other() {
      sketch.add(KEY);
      sketch.add(KEY);
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = sketch.estimate(KEY);
    }
  }

  /** A reader without a lock while another thread adds twice; the count never decreases. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "0, 2", "1, 1", "1, 2", "2, 2"},
      expect = ACCEPTABLE,
      desc = "what was added by then")
  @Outcome(expect = FORBIDDEN, desc = "an estimate falls or exceeds what was added")
  @State
  public static class ReadAgainstAdd {
    private final SketchSubject sketch = SketchSubject.create(2, new SketchSubject.Falling());

    @Actor
    public void add() {
      sketch.add(KEY);
      sketch.add(KEY);
    }

    @Actor
    public void read(JJ_Result r) {
      r.r1 = sketch.estimate(KEY);
      r.r2 = sketch.estimate(KEY);
    }
  }

  /** A thread that sees that a touch was added also sees its count, with opaque reads only. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "counted when said to be")
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "said to be added, and not counted")
  @State
  public static class ReadAfterAdd {
    private final SketchSubject sketch = SketchSubject.create(2, new SketchSubject.Late());
    private volatile boolean added;

    @Actor
    public void add() {
      sketch.add(KEY);
      added = true;
    }

    @Actor
    public void read(JJ_Result r) {
      r.r1 = added ? 1 : 0;
      r.r2 = sketch.estimate(KEY);
    }
  }

  /**
   * Four touches, which add to every row, against a halving of ten: (10 + 4) / 2 at least, 10 / 2 +
   * 4 at most.
   */
  @JCStressTest
  @Outcome(
      id = {"7", "8", "9"},
      expect = ACCEPTABLE,
      desc = "each touch counts whole or half")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost, or a halving")
  @State
  public static class HalveAgainstAdd {
    private final SketchSubject sketch = touchedTenTimes();

    @Actor
    public void add() {
      addFour(sketch);
    }

    @Actor
    public void halve() {
      sketch.halve();
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = sketch.estimate(KEY);
    }
  }

  private static SketchSubject touchedTenTimes() {
    SketchSubject sketch = SketchSubject.create(1);
    for (int i = 0; i < 10; i++) {
      sketch.add(KEY);
    }
    return sketch;
  }

  private static void addFour(SketchSubject sketch) {
    for (int i = 0; i < 4; i++) {
      sketch.add(KEY);
    }
  }
}
