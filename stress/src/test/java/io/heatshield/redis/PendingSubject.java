package io.heatshield.redis;

/**
 * What the race of a command against a flusher that goes to sleep runs on: the queue of a lane, or
 * with {@code -P broken} one whose flusher looks first and then says that it sleeps.
 */
public final class PendingSubject {
  private static final Script SCRIPT = Script.of("");

  private final Pending pending = new Pending(1);
  private final boolean broken = Boolean.getBoolean("stress.broken");
  private final Command command =
      new Command(SCRIPT, new byte[0], new byte[0][], 0, false, new Tally(), new Nobody());

  /** Brings a command; returns whether its flusher was seen to sleep. */
  public boolean bring() {
    return pending.offer(command) && pending.wake();
  }

  /** Returns whether the flusher would sleep, having found nothing. */
  public boolean rest() {
    if (broken) {
      boolean nothing = pending.take() == null;
      boolean unused = pending.mayPark();
      return nothing;
    }
    return pending.mayPark();
  }

  private static final class Nobody implements CountSink {
    @Override
    public void counted(long count) {}

    @Override
    public void failed(RedisException reason) {}
  }
}
