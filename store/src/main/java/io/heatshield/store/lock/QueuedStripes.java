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
 * Stripes for engines that answer later: who comes second waits in a queue, on no thread, and goes
 * on where the one before it ends. At most {@value #MAX_WAITING} wait; more are refused.
 */
public final class QueuedStripes implements Stripes {
  static final int MAX_WAITING = 65_536;

  private final Turn[] turns = new Turn[Stripes.COUNT];
  private final AtomicInteger waiting = new AtomicInteger();

  /** Creates the stripes, all free. */
  public QueuedStripes() {
    Arrays.setAll(turns, i -> new Turn());
  }

  @Override
  public <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action) {
    return holding(Stripes.places(hashes), action);
  }

  @Override
  public <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action) {
    int[] all = new int[Stripes.COUNT];
    Arrays.setAll(all, i -> i);
    return holding(all, action);
  }

  private <T> CompletionStage<T> holding(int[] places, Supplier<CompletionStage<T>> action) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.FULL, "too many writes wait"));
    }
    var answer = new CompletableFuture<T>();
    take(places, 0, () -> run(places, action, answer));
    return answer;
  }

  /** Takes one place after another, in ascending order, and then goes on. */
  private void take(int[] places, int next, Runnable then) {
    if (next == places.length) {
      then.run();
    } else {
      turns[places[next]].take(() -> take(places, next + 1, then));
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
            turns[place].release();
          }
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  /** One place: held by one at a time, in the order of coming. */
  private static final class Turn {
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private boolean held;
    private @Nullable Thread runner;

    void take(Runnable then) {
      synchronized (this) {
        queue.add(then);
      }
      go();
    }

    void release() {
      synchronized (this) {
        held = false;
      }
      go();
    }

    /** Lets the next ones go on; one that ends at once does not deepen the stack. */
    private void go() {
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
      Runnable next = queue.poll();
      if (next != null) {
        held = true;
        runner = Thread.currentThread();
      }
      return next;
    }
  }
}
