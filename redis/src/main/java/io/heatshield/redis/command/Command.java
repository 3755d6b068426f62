package io.heatshield.redis.command;

import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.ReplySink;
import io.heatshield.redis.script.Script;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a script, from its submission to its outcome. */
public final class Command implements ReplySink {
  /*
   * stage   QUEUED -> SENT -> DONE or QUEUED -> DONE   read: acquire   change: volatile CAS
   * next    the link of the queue; read: acquire, written once: release, cleared by the queue's
   *         timer when no thread will read it any more
   *
   * The thread that changes the stage to DONE calls the sink, and no other does: the thread that
   * reads the reply, the timer at the deadline and the one that closes the client may race here. A
   * command is written only after QUEUED -> SENT, so one that the timer failed as "not sent" is
   * never written. Pinned by CommandQueueTest.
   *
   * A sink may throw anything, errors included: the threads that call it serve all other commands.
   *
   * A redirected command is a new one whose sink is the first. The first stays in its queue, under
   * that queue's timer, so its deadline holds wherever the command is sent.
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
  final byte[][] arguments;
  final long deadline;
  final boolean late;
  final boolean asking;
  private final byte[] key;
  private final int redirects;
  private final ClientCounters counters;
  private final CountSink sink;

  @SuppressWarnings("UnusedVariable") // Read and written through STAGE.
  private int stage;

  @SuppressWarnings("UnusedVariable") // Read and written through NEXT.
  private @Nullable Command next;

  /**
   * Creates a command.
   *
   * @param late whether its deadline may be before that of commands which were submitted earlier
   */
  public Command(
      Script script,
      byte[] key,
      byte[][] arguments,
      long deadline,
      boolean late,
      ClientCounters counters,
      CountSink sink) {
    this.script = script;
    this.key = key;
    this.arguments = arguments;
    this.deadline = deadline;
    this.late = late;
    this.asking = false;
    this.redirects = 0;
    this.counters = counters;
    this.sink = sink;
  }

  private Command(Command first, boolean asking) {
    this.script = first.script;
    this.key = first.key;
    this.arguments = first.arguments;
    this.deadline = first.deadline;
    this.late = false;
    this.asking = asking;
    this.redirects = first.redirects + 1;
    this.counters = first.counters;
    this.sink = first;
  }

  /**
   * Returns the same command for another server; its outcome completes this one.
   *
   * @param asking whether to send ASKING before it
   */
  public Command redirected(boolean asking) {
    return new Command(this, asking);
  }

  public byte[] key() {
    return key;
  }

  /** Returns how often the command has been redirected. */
  public int redirects() {
    return redirects;
  }

  /** Marks the command as sent; false if it is done. */
  boolean send() {
    return !isAbandoned() && STAGE.compareAndSet(this, QUEUED, SENT);
  }

  boolean isDone() {
    return (int) STAGE.getAcquire(this) == DONE;
  }

  /** Returns whether the sink accepts any reply, and not only a count. */
  boolean acceptsAnyReply() {
    return sink instanceof Command first ? first.acceptsAnyReply() : sink instanceof ReplySink;
  }

  @Override
  public void counted(long count) {
    if (finish()) {
      callSink(() -> sink.counted(count));
    }
  }

  @Override
  public void replied(@Nullable Object reply) {
    if (finish() && sink instanceof ReplySink any) {
      callSink(() -> any.replied(reply));
    }
  }

  @Override
  public void failed(RedisException reason) {
    if (finish()) {
      deliver(reason);
    }
  }

  /** Fails the command. */
  public void fail(Failure failure) {
    failed(new RedisException(failure));
  }

  /**
   * Fails the command: for the given reason if it was not sent, as ambiguous if it was.
   *
   * @return false if it was done before
   */
  public boolean giveUp(Failure ifNotSent) {
    if (STAGE.compareAndSet(this, QUEUED, DONE)) {
      deliver(new RedisException(ifNotSent));
      return true;
    }
    if (STAGE.compareAndSet(this, SENT, DONE)) {
      deliver(new RedisException(Failure.AMBIGUOUS));
      return true;
    }
    return false;
  }

  @Nullable Command next() {
    return (Command) NEXT.getAcquire(this);
  }

  void setNext(@Nullable Command follower) {
    NEXT.setRelease(this, follower);
  }

  /** Returns whether the command that was redirected here is done. */
  private boolean isAbandoned() {
    return sink instanceof Command first && (first.isDone() || first.isAbandoned());
  }

  private boolean finish() {
    return (int) STAGE.getAndSet(this, DONE) != DONE;
  }

  private void deliver(RedisException reason) {
    if (redirects == 0) {
      counters.failed(reason.failure());
    }
    callSink(() -> sink.failed(reason));
  }

  private static void callSink(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      LOG.error("receiver of a Redis reply threw", e);
    }
  }
}
