package io.heatshield.redis.command;

import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;

/**
 * A command queue in a race between a thread that offers a command and one that goes to sleep. With
 * {@code -P broken} the sleeper checks the queue before it announces that it sleeps.
 */
public final class CommandQueueSubject {
  private final CommandQueue queue = new CommandQueue(1);
  private final boolean broken = Boolean.getBoolean("stress.broken");
  private final Command command =
      new Command(
          Script.of(""),
          new byte[0],
          new byte[0][],
          0,
          false,
          new ClientCounters(),
          new IgnoringSink());

  /** Offers a command; returns whether the sender was seen to sleep. */
  public boolean offer() {
    return queue.offer(command) && queue.wake();
  }

  /** Returns whether the sender would sleep, having found nothing. */
  public boolean sleep() {
    if (broken) {
      boolean nothing = queue.take() == null;
      boolean unused = queue.mayPark();
      return nothing;
    }
    return queue.mayPark();
  }

  private static final class IgnoringSink implements CountSink {
    @Override
    public void counted(long count) {}

    @Override
    public void failed(RedisException reason) {}
  }
}
