package io.heatshield.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where calls to the engine are made: on the calling thread, or by an executor. */
final class EngineCalls {
  private final @Nullable Executor executor;
  private volatile boolean closed;

  EngineCalls(@Nullable Executor executor) {
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
    if (closed) {
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.CLOSED, "the store is closed"));
    }
    if (executor == null) {
      return guarded(call);
    }
    var answer = new CompletableFuture<T>();
    try {
      executor.execute(
          () ->
              guarded(call)
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

  private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
