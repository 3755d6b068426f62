package io.heatshield.redis.command;

import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue of one connection's commands, in order of arrival.
 *
 * <p>Any thread may offer. One thread, the sender, takes. Another one, the timer, walks the same
 * commands from the first that is not done, and fails those past their deadline.
 */
final class CommandQueue {
  /*
   * A linked list that only grows at its tail, with two readers that each keep their own position.
   * An offer swaps the tail, then links: a reader that finds the link missing takes it for the end,
   * which the wake-up after the link corrects.
   *
   * Commands that both readers have passed are garbage. The timer clears their links: otherwise one
   * such command that was promoted to the old generation would retain all that followed, with their
   * sinks, until the whole heap is collected. The links from a reader's position on stay.
   *
   * tail     volatile swap
   * taken    the sender's position; plain
   * watched, unlinked, passed, unlinks   the timer's; plain
   * takes    how many commands the sender has passed; written: release, after it moved,
   *          read: acquire
   * size     raised before a command is linked, lowered by the timer when it passes a done one
   * late     commands in the queue that may be due before an earlier one; raised and lowered
   *          like size
   * asleep   volatile; written by the sender before its last look at the queue, read by an offerer
   *          after it linked. A full fence between the two steps on either side makes one of them
   *          see the other. Without it a link may stay in the store buffer while the read of asleep
   *          goes ahead, and the sender sleeps while a command is pending. Pinned by
   *          CommandQueueStress.
   */
  private final int capacity;
  private final AtomicReference<Command> tail;
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private volatile @Nullable Thread asleep;
  private final AtomicLong takes = new AtomicLong();
  private Command taken;
  private Command watched;
  private Command unlinked;
  private long passed;
  private long unlinks;

  CommandQueue(int capacity) {
    this.capacity = capacity;
    var head =
        new Command(
            Script.of(""),
            new byte[0],
            new byte[0][],
            0,
            false,
            new ClientCounters(),
            new NoSink());
    this.tail = new AtomicReference<>(head);
    this.taken = head;
    this.watched = head;
    this.unlinked = head;
  }

  /** Appends a command; false if the queue is full. The caller must then call {@link #wake}. */
  boolean offer(Command command) {
    if (size.incrementAndGet() > capacity) {
      size.decrementAndGet();
      return false;
    }
    if (command.late) {
      late.incrementAndGet();
    }
    tail.getAndSet(command).setNext(command);
    return true;
  }

  /** Marks the next command as sent and returns it, or null if there is none; for the sender. */
  @Nullable Command take() {
    for (Command next = taken.next(); next != null; next = taken.next()) {
      moveTo(next);
      if (next.send()) {
        return next;
      }
    }
    return null;
  }

  /** Fails all commands that were not taken; for the sender. */
  void refuse(Failure reason) {
    for (Command next = taken.next(); next != null; next = taken.next()) {
      moveTo(next);
      next.giveUp(reason);
    }
  }

  /** Waits for a command or a call of {@link #wake}; for the sender. */
  void await(long nanos) {
    if (mayPark()) {
      LockSupport.parkNanos(this, nanos);
    }
    asleep = null;
  }

  /** Announces that the sender will sleep, and returns whether there is nothing to take. */
  boolean mayPark() {
    asleep = Thread.currentThread();
    VarHandle.fullFence();
    return taken.next() == null;
  }

  /** Wakes the sender if it sleeps, and returns whether it did; after an offer. */
  boolean wake() {
    VarHandle.fullFence();
    Thread sleeper = asleep;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
    return sleeper != null;
  }

  /** Fails the commands past their deadline and returns how many; for the timer. */
  int expire(long now) {
    int expired = 0;
    boolean passing = true;
    for (Command next = watched.next(); next != null; next = next.next()) {
      if (!next.isDone()) {
        if (now - next.deadline < 0) {
          if (late.get() == 0) {
            break;
          }
          passing = false;
          continue;
        }
        expired += next.giveUp(Failure.NOT_SENT_IN_TIME) ? 1 : 0;
      }
      if (passing) {
        pass(next);
      }
    }
    unlink();
    return expired;
  }

  /** Returns the nanoseconds until the first deadline, at most the given number; for the timer. */
  long untilDeadline(long now, long mostNanos) {
    long least = mostNanos;
    for (Command next = watched.next(); next != null; next = next.next()) {
      if (!next.isDone()) {
        least = Math.min(least, next.deadline - now);
      }
      if (late.get() == 0) {
        break;
      }
    }
    return least;
  }

  /** Fails all commands; after the sender and the timer have stopped. */
  void failAll() {
    for (Command next = watched.next(); next != null; next = watched.next()) {
      next.giveUp(Failure.CLOSED);
      pass(next);
    }
  }

  /** Returns the number of commands, some of which may be done. */
  int size() {
    return size.get();
  }

  private void moveTo(Command next) {
    taken = next;
    takes.lazySet(takes.getPlain() + 1);
  }

  /** Clears the links of commands that both readers have passed; for the timer. */
  private void unlink() {
    long both = Math.min(passed, takes.getAcquire());
    for (Command next = unlinked.next(); unlinks < both && next != null; next = unlinked.next()) {
      unlinked.setNext(null);
      unlinked = next;
      unlinks++;
    }
  }

  private void pass(Command next) {
    watched = next;
    passed++;
    size.decrementAndGet();
    if (next.late) {
      late.decrementAndGet();
    }
  }

  /** Ignores its outcome, which the head of the list never has. */
  private static final class NoSink implements CountSink {
    @Override
    public void counted(long count) {}

    @Override
    public void failed(RedisException reason) {}
  }
}
