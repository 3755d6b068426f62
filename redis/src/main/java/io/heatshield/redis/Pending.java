package io.heatshield.redis;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one connection in the order in which they came, at most as many as were allowed.
 *
 * <p>Any thread may offer. One thread, the flusher, takes; another, the timer, watches the same
 * commands from the first that is not done on, and ends those past their deadline.
 */
final class Pending {
  /*
   * A list that only grows at its tail, with two readers that each keep their own place in it. An offer
   * swaps the tail, then links: a reader may find the link not made yet and takes that for the end,
   * which the wake after it corrects.
   *
   * What both have passed is garbage, and the timer takes its link away: one such command that has
   * grown old would otherwise hold all that came after it, with all who waited for them, until the
   * whole heap is collected. The links of a reader's own place and of all behind it stay.
   *
   * tail     swap: volatile        taken, watched, unlinked, passed, unlinks   plain, each its own thread's
   * takes    how many the flusher has passed; written: release, after it went on   read: acquire
   * size     raised before a command is linked, lowered by the timer when it passes one that is done
   * late     commands that are there and may be due before one that came earlier: raised before one is linked, lowered like size
   * asleep   written by the flusher before it looks for a last time, read by who has linked: volatile, and a full fence
   *          between the two steps on either side, so that one of them sees the other. Without it a link may stay in the
   *          store buffer while the look at asleep goes ahead, and the flusher sleeps on a command. Pinned by PendingStress.
   */
  private static final Script NO_SCRIPT = Script.of("");

  private final int most;
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

  Pending(int most) {
    this.most = most;
    var origin =
        new Command(NO_SCRIPT, new byte[0], new byte[0][], 0, false, new Tally(), new Nobody());
    this.tail = new AtomicReference<>(origin);
    this.taken = origin;
    this.watched = origin;
    this.unlinked = origin;
  }

  /** Appends a command; false if as many are there as may be. After it {@link #wake} is due. */
  boolean offer(Command command) {
    if (size.incrementAndGet() > most) {
      size.decrementAndGet();
      return false;
    }
    if (command.late) {
      late.incrementAndGet();
    }
    tail.getAndSet(command).next(command);
    return true;
  }

  /** Takes the next command for sending, if there is one; by the flusher alone. */
  @Nullable Command take() {
    for (Command next = taken.next(); next != null; next = taken.next()) {
      went(next);
      if (next.send()) {
        return next;
      }
    }
    return null;
  }

  /** Gives up all commands that were not taken; by the flusher alone. */
  void refuse(Failure reason) {
    for (Command next = taken.next(); next != null; next = taken.next()) {
      went(next);
      next.giveUp(reason);
    }
  }

  /** Waits until there may be a command to take, or someone wakes it; by the flusher alone. */
  void await(long nanos) {
    if (mayPark()) {
      LockSupport.parkNanos(this, nanos);
    }
    asleep = null;
  }

  /** Says that the flusher sleeps, and returns whether there is nothing to take. */
  boolean mayPark() {
    asleep = Thread.currentThread();
    VarHandle.fullFence();
    return taken.next() == null;
  }

  /** Wakes the flusher if it sleeps, and returns whether it did; by who has offered. */
  boolean wake() {
    VarHandle.fullFence();
    Thread sleeper = asleep;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
    return sleeper != null;
  }

  /**
   * Gives up the commands whose deadline has come; by the timer alone.
   *
   * @return how many
   */
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

  /** Returns the nanoseconds until the first deadline, or the given ones; by the timer alone. */
  long untilDeadline(long now, long otherwise) {
    long least = otherwise;
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

  /** Gives up everything, for good; when flusher and timer have ended. */
  void abandon() {
    for (Command next = watched.next(); next != null; next = watched.next()) {
      next.giveUp(Failure.CLOSED);
      pass(next);
    }
  }

  /** Returns how many commands are there, some of which may be done. */
  int size() {
    return size.get();
  }

  private void went(Command next) {
    taken = next;
    takes.lazySet(takes.getPlain() + 1);
  }

  /** Takes the links of commands away that both readers have passed; by the timer alone. */
  private void unlink() {
    long both = Math.min(passed, takes.getAcquire());
    for (Command next = unlinked.next(); unlinks < both && next != null; next = unlinked.next()) {
      unlinked.unlink();
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

  /** Who waits for nothing. */
  private static final class Nobody implements CountSink {
    @Override
    public void counted(long count) {}

    @Override
    public void failed(RedisException reason) {}
  }
}
