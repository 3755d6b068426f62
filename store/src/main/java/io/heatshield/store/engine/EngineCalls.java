package io.heatshield.store.engine;

import io.heatshield.count.Counter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to an engine, on the calling thread or by an executor, and watches and counts
 * them.
 */
public final class EngineCalls {
  private final Engine engine;
  private final CallWatch watch;
  private final @Nullable Executor executor;
  private final Counter count = new Counter();
  private volatile boolean closed;

  /**
   * Creates the way to an engine.
   *
   * @param executor makes the calls; null for the calling thread
   */
  public EngineCalls(Engine engine, CallWatch watch, @Nullable Executor executor) {
    this.engine = engine;
    this.watch = watch;
    this.executor = executor;
  }

  /** Refuses all calls from now on; returns false if that was so already. */
  public synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Returns whether calls are refused. */
  public boolean isClosed() {
    return closed;
  }

  /** Returns the watch that knows the calls which have not ended. */
  public CallWatch watch() {
    return watch;
  }

  /** Counts one call to the engine. */
  public void count() {
    count.add(1);
  }

  /** Returns how many calls were counted. */
  public long counted() {
    return count.sum();
  }

  /** Makes a call; what it throws fails the stage. */
  public <T> CompletionStage<T> make(Supplier<CompletionStage<T>> call) {
    return begin(call, true);
  }

  /** Makes a call that may take as long as a walk over all keys, and so is not watched. */
  public <T> CompletionStage<T> makeLong(Supplier<CompletionStage<T>> call) {
    return begin(call, false);
  }

  private <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call, boolean watched) {
    if (closed) {
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.CLOSED, "the store is closed"));
    }
    if (executor == null) {
      return guarded(call, watched);
    }
    var answer = new CompletableFuture<T>();
    try {
      executor.execute(
          () ->
              guarded(call, watched)
                  .whenComplete(
                      (value, failure) -> {
                        if (failure == null) {
                          answer.complete(value);
                        } else {
                          answer.completeExceptionally(failure);
                        }
                      }));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(
          new StoreException(StoreException.Reason.UNAVAILABLE, "too many calls wait", e));
    }
    return answer;
  }

  private <T> CompletionStage<T> watched(Supplier<CompletionStage<T>> call) {
    CompletionStage<T> stage;
    CallWatch.Slot slot = watch.enter();
    try {
      stage = call.get();
    } finally {
      slot.leave();
    }
    return engine.isLocal() ? stage : watch.track(stage);
  }

  private <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call, boolean watched) {
    try {
      return watched ? watched(call) : call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
