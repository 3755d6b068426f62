package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Loads of hot values against writes and each other. */
public final class HotValuesStress {

  private HotValuesStress() {}

  /** Two concurrent loads of one key. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one loads, the other joins it")
  @Outcome(expect = FORBIDDEN, desc = "two loads of one key, or none")
  @State
  public static class BeginAgainstBegin {
    private final HotValuesSubject values = HotValuesSubject.create();

    @Actor
    public void one(ZZ_Result r) {
      r.r1 = values.begin();
    }

    @Actor
    public void other(ZZ_Result r) {
      r.r2 = values.begin();
    }
  }

  /** A load that ends while its key is written. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "what was read before the write is not kept")
  @Outcome(expect = FORBIDDEN, desc = "an old value is served after the write")
  @State
  public static class CompleteAgainstWrite {
    private final HotValuesSubject values = HotValuesSubject.create();

    public CompleteAgainstWrite() {
      values.write(1);
      values.begin();
    }

    @Actor
    public void complete() {
      values.complete(1);
    }

    @Actor
    public void write() {
      values.write(2);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = values.kept();
    }
  }

  /** A load that begins while its key is written. */
  @JCStressTest
  @Outcome(
      id = {"0", "2"},
      expect = ACCEPTABLE,
      desc = "nothing, or what was written, is kept")
  @Outcome(expect = FORBIDDEN, desc = "an old value is served after the write")
  @State
  public static class LoadAgainstWrite {
    private final HotValuesSubject values = HotValuesSubject.create();

    public LoadAgainstWrite() {
      values.write(1);
    }

    @Actor
    public void load() {
      values.load();
    }

    @Actor
    public void write() {
      values.write(2);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = values.kept();
    }
  }
}
