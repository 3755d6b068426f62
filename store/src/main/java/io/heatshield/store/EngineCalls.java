package io.heatshield.store;

import io.heatshield.count.Counter;
import io.heatshield.store.call.CallWatch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to an engine, on the calling thread or on an executor; counts and watches them.
 */
final class EngineCalls {
  private final Engine engine;
  private final CallWatch watch;
  private final @Nullable Executor executor;
  private final Counter count = new Counter();
  private volatile boolean closed;

  /**
   * Creates the calls to an engine.
   *
   * @param executor runs the calls; null for the calling thread
   */
  EngineCalls(Engine engine, CallWatch watch, @Nullable Executor executor) {
    this.engine = engine;
    this.watch = watch;
    this.executor = executor;
  }

  /** Refuses all calls from now on; returns false if they were refused already. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Returns whether calls are refused. */
  boolean isClosed() {
    return closed;
  }

  /** Returns the watch that tracks the calls which have not ended. */
  CallWatch watch() {
    return watch;
  }

  /** Counts one call to the engine. */
  void count() {
    count.add(1);
  }

  /** Returns how many calls were counted. */
  long counted() {
    return count.sum();
  }

  /** Makes a call; the stage fails with what the call throws. */
  <T> CompletionStage<T> make(Supplier<CompletionStage<T>> call) {
    return begin(call, true);
  }

  /** Makes a call that is not watched, because it may walk over all keys. */
  <T> CompletionStage<T> makeLong(Supplier<CompletionStage<T>> call) {
    return begin(call, false);
  }

  private <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> call, boolean watched) {
    if (closed) {
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.CLOSED, "the store is closed"));
    }
    try {
      return executor == null
          ? run(call, watched)
          : CompletableFuture.supplyAsync(() -> run(call, watched), executor)
              .thenCompose(stage -> stage);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new StoreException(StoreException.Reason.UNAVAILABLE, "too many calls are waiting", e));
    }
  }

  private <T> CompletionStage<T> run(Supplier<CompletionStage<T>> call, boolean watched) {
    try {
      if (!watched) {
        return call.get();
      }
      CompletionStage<T> stage = watch.run(call);
      return engine.location().isLocal() ? stage : watch.track(stage);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
