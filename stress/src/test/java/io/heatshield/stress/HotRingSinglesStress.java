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

/** A ring that knows a key by its hash until its second touch: every touch is in the count. */
public final class HotRingSinglesStress {

  private HotRingSinglesStress() {}

  /** Two touches of a key that is noted, of which one makes its entry. */
  @JCStressTest
  @Outcome(
      id = {"2, 3, 3", "3, 2, 3"},
      expect = ACCEPTABLE,
      desc = "one makes the entry with the note in it, the other finds it")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost, or the note is counted twice")
  @State
  public static class EntryAgainstEntry {
    private final RingSubject ring = touchedOnce();

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

  /** The touch that turns a note into an entry against a remove. */
  @JCStressTest
  @Outcome(
      id = {"2, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "the touch is before or after")
  @Outcome(expect = FORBIDDEN, desc = "a touch is lost or doubled")
  @State
  public static class EntryAgainstRemove {
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

  static RingSubject touchedOnce() {
    RingSubject ring = RingSubject.withSingles();
    ring.touch("k");
    return ring;
  }
}
