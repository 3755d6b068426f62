package io.heatshield.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.heatshield.redis.command.CommandQueueSubject;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of commands for Redis against the thread that sends them. */
public final class CommandQueueStress {

  private CommandQueueStress() {}

  /** A command that is offered while the sender goes to sleep. */
  @JCStressTest
  @Outcome(
      id = {"true, true", "false, false", "true, false"},
      expect = ACCEPTABLE,
      desc = "the sender is woken, or finds the command, or both")
  @Outcome(id = "false, true", expect = FORBIDDEN, desc = "it sleeps while a command is pending")
  @State
  public static class OfferAgainstSleep {
    private final CommandQueueSubject queue = new CommandQueueSubject();

    @Actor
    public void offer(ZZ_Result r) {
      r.r1 = queue.offer();
    }

    @Actor
    public void sleep(ZZ_Result r) {
      r.r2 = queue.sleep();
    }
  }
}
