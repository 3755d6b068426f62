package io.heatshield.store.lock;

import io.heatshield.store.engine.StoreException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stripes for engines that complete their stages later. An action that finds its stripe held waits
 * in a queue, without blocking a thread, and is run when the action before it completes. At most
 * {@value #MAX_WAITING} actions wait; more are refused.
 */
public final class QueuedStripes implements Stripes {
  static final int MAX_WAITING = 65_536;

  private final Queue[] queues = new Queue[Stripes.COUNT];
  private final AtomicInteger waiting = new AtomicInteger();

  /** Creates the stripes, all free. */
  public QueuedStripes() {
    Arrays.setAll(queues, i -> new Queue());
  }

  @Override
  public <T> CompletionStage<T> holding(int[] places, Supplier<CompletionStage<T>> action) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.FULL, "too many writes are waiting"));
    }
    var answer = new CompletableFuture<T>();
    acquire(places, 0, () -> run(places, action, answer));
    return answer;
  }

  /** Acquires one stripe after another, in ascending order, and then runs an action. */
  private void acquire(int[] places, int next, Runnable then) {
    if (next == places.length) {
      then.run();
    } else {
      queues[places[next]].acquire(() -> acquire(places, next + 1, then));
    }
  }

  private <T> void run(
      int[] places, Supplier<CompletionStage<T>> action, CompletableFuture<T> answer) {
    CompletionStage<T> stage;
    try {
      stage = action.get();
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedFuture(e);
    }
    stage.whenComplete(
        (value, failure) -> {
          waiting.decrementAndGet();
          for (int place : places) {
            queues[place].release();
          }
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  /** One stripe: held by one action at a time, in the order of arrival. */
  private static final class Queue {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean held;
    private @Nullable Thread runner;

    void acquire(Runnable then) {
      synchronized (this) {
        waiting.add(then);
      }
      runNext();
    }

    void release() {
      synchronized (this) {
        held = false;
      }
      runNext();
    }

    /** Runs the actions that are due; one that completes immediately does not deepen the stack. */
    private void runNext() {
      synchronized (this) {
        if (runner == Thread.currentThread()) {
          return;
        }
      }
      for (Runnable next = next(); next != null; next = next()) {
        try {
          next.run();
        } finally {
          synchronized (this) {
            runner = null;
          }
        }
      }
    }

    private synchronized @Nullable Runnable next() {
      if (held || runner != null) {
        return null;
      }
      Runnable next = waiting.poll();
      if (next != null) {
        held = true;
        runner = Thread.currentThread();
      }
      return next;
    }
  }
}
