package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The cuckoo filter: a stored key is always found, and no writer undoes the change of another. */
public final class CuckooFilterStress {
  private CuckooFilterStress() {}

  /** A reader without a lock while a writer moves stored keys. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "every stored key was found")
  @Outcome(expect = FORBIDDEN, desc = "a stored key vanished")
  @State
  public static class FoundWhileMoved {
    private final FilterSubject filter = FilterSubject.create();

    @Actor
    public void move() {
      for (long mover : FilterKeys.MOVERS) {
        filter.add(mover);
        filter.delete(mover);
      }
    }

    @Actor
    public void read(II_Result r) {
      r.r1 = filter.missing();
      r.r2 = filter.missing();
    }
  }

  /** Two writers in buckets that share words: neither undoes the other's bits. */
  @JCStressTest
  @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "everything is there")
  @Outcome(expect = FORBIDDEN, desc = "a write was undone")
  @State
  public static class NeighbouringWrites {
    private final FilterSubject filter = FilterSubject.create();

    @Actor
    public void one() {
      filter.add(FilterKeys.MOVERS[0]);
    }

    @Actor
    public void other() {
      filter.add(FilterKeys.MOVERS[1]);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = filter.missing();
      r.r2 = filter.contains(FilterKeys.MOVERS[0]) ? 1 : 0;
      r.r2 += filter.contains(FilterKeys.MOVERS[1]) ? 1 : 0;
    }
  }

  /** Two threads delete a key that is stored once: exactly one succeeds. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "deleted once")
  @Outcome(expect = FORBIDDEN, desc = "deleted twice or not at all")
  @State
  public static class DeleteAgainstDelete {
    private final FilterSubject filter = FilterSubject.create();

    @Actor
    public void one(ZZ_Result r) {
      r.r1 = filter.delete(FilterKeys.STORED[0]);
    }

    @Actor
    public void other(ZZ_Result r) {
      r.r2 = filter.delete(FilterKeys.STORED[0]);
    }
  }
}
