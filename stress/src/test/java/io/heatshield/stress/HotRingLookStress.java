package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The touch that turns a note into an entry against a look. The known race of {@code -P broken}
 * loses touches and not looks, so this one finds nothing there.
 */
@JCStressTest
@Outcome(
    id = {"1, 2", "2, 2"},
    expect = ACCEPTABLE,
    desc = "the look is before or after")
@Outcome(expect = FORBIDDEN, desc = "the look finds neither note nor entry")
@State
public class HotRingLookStress {
  private final RingSubject ring = HotRingSinglesStress.touchedOnce();

  @Actor
  public void touch() {
    ring.touch("k");
  }

  @Actor
  public void look(JJ_Result r) {
    r.r1 = ring.count("k");
  }

  @Arbiter
  public void count(JJ_Result r) {
    r.r2 = ring.count("k");
  }
}
