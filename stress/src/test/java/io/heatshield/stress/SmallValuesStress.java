package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Short values that are overwritten where they lie: whoever reads sees one of them, whole. */
public final class SmallValuesStress {

  private SmallValuesStress() {}

  /** Two reads against one overwrite. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "1, 2", "2, 2"},
      expect = ACCEPTABLE,
      desc = "the value before or after, and never the one before again")
  @Outcome(expect = FORBIDDEN, desc = "a part of both, or a step back")
  @State
  public static class ReadsAgainstOverwrite {
    private final ValuesSubject values = ValuesSubject.create();

    @Actor
    public void overwrite() {
      values.fill((byte) 2);
    }

    @Actor
    public void read(II_Result r) {
      r.r1 = values.read();
      r.r2 = values.read();
    }
  }

  /** A read against two overwrites, so that it may begin in the one and end in the other. */
  @JCStressTest
  @Outcome(id = "[123], [123], 3", expect = ACCEPTABLE, desc = "one of the three values")
  @Outcome(expect = FORBIDDEN, desc = "a part of two")
  @State
  public static class ReadsAgainstTwo {
    private final ValuesSubject values = ValuesSubject.create();

    @Actor
    public void overwrite(III_Result r) {
      values.fill((byte) 2);
      values.fill((byte) 3);
      r.r3 = values.read();
    }

    @Actor
    public void read(III_Result r) {
      r.r1 = values.read();
      r.r2 = values.read();
    }
  }
}
