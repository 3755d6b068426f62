package io.heatshield.store.call;

import io.heatshield.store.stats.RunningCall;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Tracks the calls to an engine that have not ended, so that a call that hangs is noticed.
 *
 * <p>Any thread may call any method. {@link #longest} should be called about twice a second.
 */
public final class CallWatch {
  /*
   * Each thread has a slot with a counter that it increments when it enters the engine and when it
   * leaves: odd means inside. longest() finds a running call by seeing the same odd number again.
   * So a call costs two plain writes, without reading the clock or allocating; its age counts from
   * the first time that longest() saw it.
   *
   * turns     written by the slot's thread: opaque   read by longest: opaque
   * depth     the slot's thread only
   * seen, seenNanos, slots, pruneAt     under the lock of the watch
   *
   * Nothing is published through turns: reading an old number only delays noticing the end of a
   * call. Pinned by CallWatchTest.
   *
   * The unfinished stages of an engine that completes them later are kept in a set.
   */
  private static final int FEW = 64;

  private final Ticker ticker;
  private final ThreadLocal<Slot> own = ThreadLocal.withInitial(this::newSlot);
  private final List<Slot> slots = new ArrayList<>();
  private final Set<Pending> pending = ConcurrentHashMap.newKeySet();
  private int pruneAt = FEW;

  /** Creates a watch that measures ages by a ticker. */
  public CallWatch(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Records that the calling thread enters the engine; it must {@linkplain Slot#leave leave}. */
  public Slot enter() {
    Slot slot = own.get();
    slot.enter();
    return slot;
  }

  /** Makes a call to the engine on the calling thread, and returns its result. */
  public <T> T run(Supplier<T> call) {
    Slot slot = enter();
    try {
      return call.get();
    } finally {
      slot.leave();
    }
  }

  /** Tracks a stage until it is complete, and returns it. */
  public <T> CompletionStage<T> track(CompletionStage<T> stage) {
    if (!stage.toCompletableFuture().isDone()) {
      var one = new Pending(ticker.nanos());
      pending.add(one);
      var unused = stage.whenComplete((value, failure) -> pending.remove(one));
    }
    return stage;
  }

  /** Returns the call that has been running for the longest time, if any is. */
  public synchronized Optional<RunningCall> longest() {
    long now = ticker.nanos();
    long most = -1;
    Thread thread = null;
    for (Slot slot : slots) {
      long running = slot.running(now);
      if (running > most) {
        most = running;
        thread = slot.thread;
      }
    }
    for (Pending one : pending) {
      if (now - one.since > most) {
        most = now - one.since;
        thread = null;
      }
    }
    return most < 0
        ? Optional.empty()
        : Optional.of(new RunningCall(thread, Duration.ofNanos(most)));
  }

  /** Returns the number of threads that have a slot. */
  synchronized int slots() {
    return slots.size();
  }

  private synchronized Slot newSlot() {
    if (slots.size() >= pruneAt) {
      slots.removeIf(slot -> !slot.thread.isAlive());
      pruneAt = Math.max(FEW, 2 * slots.size());
    }
    var slot = new Slot(Thread.currentThread());
    slots.add(slot);
    return slot;
  }

  /** The state of one thread: inside the engine or not. */
  public static final class Slot {
    private final Thread thread;
    private final AtomicLong turns = new AtomicLong();
    private int depth;
    private long seen;
    private long seenNanos;

    private Slot(Thread thread) {
      this.thread = thread;
    }

    /** Records that the thread, which may be inside already, enters. */
    private void enter() {
      if (depth++ == 0) {
        turns.setOpaque(turns.getPlain() + 1);
      }
    }

    /** Records that the calling thread, which entered, leaves. */
    public void leave() {
      if (--depth == 0) {
        turns.setOpaque(turns.getPlain() + 1);
      }
    }

    /** Returns for how long the same call has been seen, or -1 if the thread is outside. */
    private long running(long now) {
      long turn = turns.getOpaque();
      if (turn != seen) {
        seen = turn;
        seenNanos = now;
      }
      return (turn & 1) == 0 ? -1 : now - seenNanos;
    }
  }

  /** A stage that is not complete. Compared by identity. */
  private static final class Pending {
    final long since;

    Pending(long since) {
      this.since = since;
    }
  }
}
