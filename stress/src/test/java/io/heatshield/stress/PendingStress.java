package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.heatshield.redis.PendingSubject;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Commands for Redis, against the thread that sends them. */
public final class PendingStress {

  private PendingStress() {}

  /** A command that is brought while the flusher goes to sleep. */
  @JCStressTest
  @Outcome(
      id = {"true, true", "false, false", "true, false"},
      expect = ACCEPTABLE,
      desc = "the flusher is woken, or finds the command, or both")
  @Outcome(id = "false, true", expect = FORBIDDEN, desc = "it sleeps on a command")
  @State
  public static class BringAgainstSleep {
    private final PendingSubject pending = new PendingSubject();

    @Actor
    public void bring(ZZ_Result r) {
      r.r1 = pending.bring();
    }

    @Actor
    public void rest(ZZ_Result r) {
      r.r2 = pending.rest();
    }
  }
}
