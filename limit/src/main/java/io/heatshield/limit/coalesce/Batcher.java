package io.heatshield.limit.coalesce;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.CounterKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects the calls for one hot counter into batches and sends these to the backend.
 *
 * <p>A batch is sent immediately if the last one was sent a flush window ago, otherwise when the
 * window ends. A full batch is sent earlier if the counter left a window unused before. At most
 * {@value #MAX_IN_FLIGHT} batches are in flight; meanwhile calls are collected. For a caller that
 * is an event loop, "immediately" is the end of the loop's turn: all calls of a turn share a batch.
 *
 * <p>Any thread may call any method; none blocks but for the short locked sections.
 */
final class Batcher {
  /*
   * Locking. One lock for each counter, this object's monitor, guards all fields that are not final
   * and the fields of batches that are not completed. A locked section appends to or takes from a
   * queue and sets fields; it never calls the backend, a caller, a loop or the timer. So it is
   * short and takes no other lock.
   *
   * Order. A batch is sent without the lock, but only by the thread that set "sending" to it, so
   * batches leave one after the other, in order of arrival. A thread that finds another one sending
   * returns: the sender looks at the queue again, under the lock, after it cleared "sending".
   * A backend that answers before send returns therefore does not recurse.
   *
   * No call is left behind. Whenever calls are pending, one of these holds under the lock:
   *   1. a batch is being sent; the sender looks again afterwards;
   *   2. MAX_IN_FLIGHT are in flight; the completion of one flushes;
   *   3. "wakeup" is set; it will run, on a loop, on the timer or on the thread that set it.
   * add, flush and complete establish this before they return. A loop that ends may drop a wakeup:
   * so a thread that asks a loop also has the timer check the counter LOOP_PATIENCE later.
   * When the coalescer closes, the timer runs all it has, and every batch is due from then on.
   *
   * Exact counts. Calls are appended under the lock, and their order is that of their ranks. Calls
   * of two rate-limit windows never share a batch: a call for another window begins a new one.
   *
   * Pace. spareWindow says that a whole window passed unused between two flushes. A full batch that
   * is sent early uses it up. So in any time at most one more flush happens than windows begin in
   * it.
   *
   * Deadlines. A batch is due from dueAt: the end of the window, or its first call if that is
   * later. The time from there until it is sent is taken off the backend's time budget. dueAt never
   * goes back, as the timer of the Redis client requires.
   *
   * Pinned by CoalescerLincheckTest, CoalescerLoopLincheckTest, CoalescerStress,
   * BatcherPropertyTest.
   */
  static final int MAX_IN_FLIGHT = 2;

  /** The maximum number of pending calls, as a multiple of the batch size. */
  static final int MAX_PENDING_BATCHES = 16;

  /** The time that an event loop has to flush a counter before the timer flushes it. */
  static final long LOOP_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final CounterKey key;
  private final CoalescingCounters coalescer;
  private final Deque<PendingBatch> pending = new ArrayDeque<>(2);
  private final Deque<PendingBatch> due = new ArrayDeque<>(2);
  private @Nullable PendingBatch sending;
  private @Nullable Wakeup wakeup;
  private boolean loopWatched;
  private boolean spareWindow = true;
  private int pendingCalls;
  private int inFlight;
  private long flushedAt;
  private long dueAt;

  Batcher(CounterKey key, CoalescingCounters coalescer) {
    this.key = key;
    this.coalescer = coalescer;
    this.flushedAt = coalescer.ticker.nanos() - coalescer.windowNanos();
  }

  /** Adds a call; returns false if as many calls are pending as may be. */
  boolean add(Limit limit, long clockMillis, PendingBatch.Call call) {
    Wakeup next;
    synchronized (this) {
      if (pendingCalls >= (long) MAX_PENDING_BATCHES * coalescer.settings.maxBatch()) {
        return false;
      }
      PendingBatch last = pending.peekLast();
      if (last == null || last.window != limit.unit().window(clockMillis)) {
        last = new PendingBatch(this, coalescer, limit, clockMillis);
        pending.add(last);
      }
      last.add(call);
      pendingCalls++;
      next = planWakeup(call.createdAt(), call.loop() != null);
    }
    arrange(next, call.createdAt(), call.loop());
    return true;
  }

  /**
   * Takes a batch off those in flight, and sends the next one if it waited for that; false if the
   * batch was completed before.
   */
  boolean complete(PendingBatch batch, boolean failed) {
    boolean full;
    synchronized (this) {
      if (batch.completed) {
        return false;
      }
      batch.completed = true;
      full = inFlight-- == MAX_IN_FLIGHT;
      if (failed && sending == batch) {
        // Nothing was sent, as when the circuit breaker is open: the next call need not wait.
        flushedAt = batch.sentAt - coalescer.windowNanos();
      }
    }
    if (full) {
      flush();
    }
    return true;
  }

  /** Sends every batch that is due, unless another thread is sending, which then does this. */
  private void flush() {
    while (true) {
      PendingBatch batch;
      Wakeup next = null;
      long now = coalescer.ticker.nanos();
      long lateNanos;
      synchronized (this) {
        if (sending != null) {
          return;
        }
        batch = takeDue(now);
        sending = batch;
        lateNanos = now - dueAt;
        if (batch == null) {
          next = planWakeup(now, true);
        }
      }
      if (batch == null) {
        arrange(next, now, coalescer.currentLoop());
        return;
      }
      batch.send(key, lateNanos);
      synchronized (this) {
        sending = null;
      }
    }
  }

  private @Nullable PendingBatch takeDue(long now) {
    if (inFlight == MAX_IN_FLIGHT) {
      return null;
    }
    if (due.isEmpty() && pendingCalls > 0 && isDue(now)) {
      long window = coalescer.windowNanos();
      long unused = now - flushedAt - window;
      dueAt = now - Math.max(0, Math.min(unused, now - pending.getFirst().firstCallAt()));
      spareWindow = unused >= 0 && (spareWindow || unused >= window);
      flushedAt = now;
      due.addAll(pending);
      pending.clear();
      pendingCalls = 0;
    }
    PendingBatch batch = due.poll();
    if (batch != null) {
      batch.sentAt = now;
      inFlight++;
    }
    return batch;
  }

  private boolean isDue(long now) {
    return now - flushedAt >= coalescer.windowNanos()
        || (spareWindow && pendingCalls >= coalescer.settings.maxBatch())
        || coalescer.timer.isClosed();
  }

  /** Returns a wakeup for the caller to arrange; null if none is needed. */
  private @Nullable Wakeup planWakeup(long now, boolean onLoop) {
    if (pendingCalls == 0 || inFlight == MAX_IN_FLIGHT || sending != null) {
      return null;
    }
    boolean dueNow = isDue(now);
    long at = dueNow ? now : flushedAt + coalescer.windowNanos();
    boolean arranged = wakeup != null && wakeup.at - at <= 0;
    if (arranged && (onLoop || !dueNow)) {
      return null;
    }
    wakeup = new Wakeup(at);
    return wakeup;
  }

  /** Has a wakeup run at its time: by the loop that the calling thread is, or else by the timer. */
  private void arrange(@Nullable Wakeup next, long now, @Nullable CallerLoop loop) {
    if (next == null) {
      return;
    }
    long delay = next.at - now;
    if (loop != null) {
      watchLoop(now);
      if (delay <= 0 ? loop.runAtTurnEnd(next) : loop.runAfter(delay, next)) {
        return;
      }
    }
    if (delay <= 0) {
      next.run();
    } else {
      coalescer.timer.schedule(next.at, next);
    }
  }

  private void watchLoop(long now) {
    synchronized (this) {
      if (loopWatched) {
        return;
      }
      loopWatched = true;
    }
    coalescer.timer.schedule(now + LOOP_TIMEOUT_NANOS, this::checkLoop);
  }

  private void checkLoop() {
    synchronized (this) {
      loopWatched = false;
      wakeup = null;
    }
    flush();
  }

  /** A flush that was arranged for a time. */
  private final class Wakeup implements Runnable {
    private final long at;

    Wakeup(long at) {
      this.at = at;
    }

    @Override
    public void run() {
      synchronized (Batcher.this) {
        if (wakeup == this) {
          wakeup = null;
        }
      }
      flush();
    }
  }
}
