package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.heatshield.store.BoardSubject;
import io.heatshield.store.FirstUsesSubject;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Loads that others may join, against writes and each other; and the first uses of a key. */
public final class BoardStress {

  private BoardStress() {}

  /** Two loads of one key. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one flies, the other joins it")
  @Outcome(expect = FORBIDDEN, desc = "two loads of one key, or none")
  @State
  public static class PutAgainstPut {
    private final BoardSubject board = BoardSubject.create();

    @Actor
    public void one(ZZ_Result r) {
      r.r1 = board.put(0);
    }

    @Actor
    public void other(ZZ_Result r) {
      r.r2 = board.put(0);
    }
  }

  /** Two loads of keys that have one place. */
  @JCStressTest
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "both are up")
  @Outcome(expect = FORBIDDEN, desc = "one took the other off")
  @State
  public static class PutAgainstNeighbour {
    private final BoardSubject board = BoardSubject.create();

    @Actor
    public void one() {
      board.put(0);
    }

    @Actor
    public void other() {
      board.put(1);
    }

    @Arbiter
    public void look(ZZ_Result r) {
      r.r1 = board.put(0);
      r.r2 = board.put(1);
    }
  }

  /** A load that ends while another begins in the same place. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first is off, the second up")
  @Outcome(expect = FORBIDDEN, desc = "the first stayed, or took the second off")
  @State
  public static class LandAgainstNeighbour {
    private final BoardSubject board = BoardSubject.create();

    public LandAgainstNeighbour() {
      board.put(0);
    }

    @Actor
    public void one() {
      board.land(0);
    }

    @Actor
    public void other() {
      board.put(1);
    }

    @Arbiter
    public void look(ZZ_Result r) {
      r.r1 = board.put(0);
      r.r2 = board.put(1);
    }
  }

  /** A load that lands while its key is written. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "what was read before the write is not kept")
  @Outcome(expect = FORBIDDEN, desc = "an old value is served after the write")
  @State
  public static class LandAgainstWrite {
    private final BoardSubject board = BoardSubject.create();

    public LandAgainstWrite() {
      board.put(0);
    }

    @Actor
    public void land() {
      board.land(0);
    }

    @Actor
    public void write() {
      board.write(0);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = board.kept();
    }
  }

  /** A load that begins while its key is written. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "what was there before the write is not kept")
  @Outcome(expect = FORBIDDEN, desc = "an old value is served after the write")
  @State
  public static class LoadAgainstWrite {
    private final BoardSubject board = BoardSubject.create();

    @Actor
    public void load() {
      board.load(0);
    }

    @Actor
    public void write() {
      board.write(0);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = board.kept();
    }
  }

  /** Two uses of a key of which its cell takes one. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one is counted here, the other goes on to the ring")
  @Outcome(expect = FORBIDDEN, desc = "a use was lost")
  @State
  public static class LastOfFirstUses {
    private final FirstUsesSubject uses = FirstUsesSubject.almostFull();

    @Actor
    public void one(ZZ_Result r) {
      r.r1 = uses.takes();
    }

    @Actor
    public void other(ZZ_Result r) {
      r.r2 = uses.takes();
    }
  }
}
