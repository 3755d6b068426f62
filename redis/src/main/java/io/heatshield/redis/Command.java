package io.heatshield.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a script on its way: queued, sent, done. */
final class Command implements ReplySink {
  /*
   * stage   QUEUED -> SENT -> DONE or QUEUED -> DONE   read: acquire   change: volatile CAS
   * next    read: acquire   written once: release      the link of the queue that holds it, and taken away by
   *         its timer when nobody will read it any more
   *
   * Who changes the stage to DONE tells the sink, and nobody else does: the flusher that reads the
   * reply, the timer at the deadline and who closes the client may meet here. A flusher writes a
   * command only after QUEUED -> SENT, so what the timer ended as "not sent" is never written.
   * Pinned by PendingTest.
   *
   * A sink may throw whatever it likes, errors too: the threads that call it serve all the others.
   *
   * A redirected command goes on as a new one, whose sink is the first: that one stays under the
   * eyes of its own queue's timer, so its deadline holds wherever the command is sent to.
   */
  private static final int QUEUED = 0;
  private static final int SENT = 1;
  private static final int DONE = 2;
  private static final VarHandle STAGE;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STAGE = lookup.findVarHandle(Command.class, "stage", int.class);
      NEXT = lookup.findVarHandle(Command.class, "next", Command.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Command.class);

  final Script script;
  final byte[] key;
  final byte[][] arguments;
  final long deadline;
  final boolean late;
  final int hops;
  final boolean asking;
  private final Tally tally;
  private final CountSink sink;

  @SuppressWarnings("UnusedVariable") // Read and written through STAGE.
  private int stage;

  @SuppressWarnings("UnusedVariable") // Read and written through NEXT.
  private @Nullable Command next;

  /**
   * Creates a command.
   *
   * @param late whether its deadline may come before that of commands which were submitted earlier
   */
  Command(
      Script script,
      byte[] key,
      byte[][] arguments,
      long deadline,
      boolean late,
      Tally tally,
      CountSink sink) {
    this(script, key, arguments, deadline, late, tally, sink, 0, false);
  }

  private Command(
      Script script,
      byte[] key,
      byte[][] arguments,
      long deadline,
      boolean late,
      Tally tally,
      CountSink sink,
      int hops,
      boolean asking) {
    this.script = script;
    this.key = key;
    this.arguments = arguments;
    this.deadline = deadline;
    this.late = late;
    this.tally = tally;
    this.sink = sink;
    this.hops = hops;
    this.asking = asking;
  }

  /** Returns the command that does the same at another server, and tells this one. */
  Command redirected(boolean ask) {
    return new Command(script, key, arguments, deadline, false, tally, this, hops + 1, ask);
  }

  /** Takes the command for sending; false if it is done already. */
  boolean send() {
    return !isAbandoned() && STAGE.compareAndSet(this, QUEUED, SENT);
  }

  boolean isDone() {
    return (int) STAGE.getAcquire(this) == DONE;
  }

  @Override
  public void counted(long count) {
    if (finish()) {
      try {
        sink.counted(count);
      } catch (RuntimeException | Error e) {
        LOG.error("what waited for a count of Redis failed on it", e);
      }
    }
  }

  /** Returns whether who waits takes any reply, and not only a count. */
  boolean takesAnyReply() {
    return sink instanceof Command first ? first.takesAnyReply() : sink instanceof ReplySink;
  }

  @Override
  public void replied(@Nullable Object reply) {
    if (finish() && sink instanceof ReplySink taker) {
      try {
        taker.replied(reply);
      } catch (RuntimeException | Error e) {
        LOG.error("what waited for a reply of Redis failed on it", e);
      }
    }
  }

  @Override
  public void failed(RedisException reason) {
    if (finish()) {
      tell(reason);
    }
  }

  /** Fails the command if it was not sent, with that reason, else as one that may be executed. */
  boolean giveUp(Failure ifNotSent) {
    if (STAGE.compareAndSet(this, QUEUED, DONE)) {
      tell(new RedisException(ifNotSent));
      return true;
    }
    if (STAGE.compareAndSet(this, SENT, DONE)) {
      tell(new RedisException(Failure.AMBIGUOUS));
      return true;
    }
    return false;
  }

  @Nullable Command next() {
    return (Command) NEXT.getAcquire(this);
  }

  void next(Command follower) {
    NEXT.setRelease(this, follower);
  }

  /** Forgets the follower, which nobody will ask for any more. */
  void unlink() {
    NEXT.setRelease(this, null);
  }

  /** Returns whether nobody waits for this any more because the first of its kind was given up. */
  private boolean isAbandoned() {
    return sink instanceof Command first && (first.isDone() || first.isAbandoned());
  }

  /** Tells the sink; what it throws harms nobody who waits behind it. */
  private void tell(RedisException reason) {
    if (hops == 0) {
      tally.failed(reason.failure());
    }
    try {
      sink.failed(reason);
    } catch (RuntimeException | Error e) {
      LOG.error("what waited for Redis failed on its failure", e);
    }
  }

  private boolean finish() {
    return (int) STAGE.getAndSet(this, DONE) != DONE;
  }
}
