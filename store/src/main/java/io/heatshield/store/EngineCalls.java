package io.heatshield.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where calls to the engine are made: on the calling thread, or by an executor; all watched. */
final class EngineCalls {
  private final Engine engine;
  private final CallWatch watch;
  private final @Nullable Executor executor;
  private volatile boolean closed;

  EngineCalls(Engine engine, CallWatch watch, @Nullable Executor executor) {
    this.engine = engine;
    this.watch = watch;
    this.executor = executor;
  }

  /** Lets no more calls through; returns false if that was so already. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  boolean isClosed() {
    return closed;
  }

  /** Makes a call; what it throws fails the stage. */
  <T> CompletionStage<T> make(Supplier<CompletionStage<T>> call) {
    return begin(call, true);
  }

  /** Makes a call that may take as long as a walk over all keys, and so is not watched. */
  <T> CompletionStage<T> makeLong(Supplier<CompletionStage<T>> call) {
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
