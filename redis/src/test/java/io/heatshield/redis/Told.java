package io.heatshield.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** What a sink was told, and how often. */
final class Told implements CountSink {
  final AtomicInteger times = new AtomicInteger();
  private final CompletableFuture<Long> outcome = new CompletableFuture<>();

  @Override
  public void counted(long count) {
    times.incrementAndGet();
    outcome.complete(count);
  }

  @Override
  public void failed(RedisException reason) {
    times.incrementAndGet();
    outcome.completeExceptionally(reason);
  }

  boolean isTold() {
    return outcome.isDone();
  }

  /** Waits for the count. */
  long count() {
    try {
      return outcome.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getMessage(), e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("nothing was told", e);
    }
  }

  /** Waits for the failure. */
  Failure failure() {
    try {
      throw new AssertionError("counted: " + outcome.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisException reason) {
        return reason.failure();
      }
      throw new AssertionError("another failure", e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("nothing was told", e);
    }
  }

  /** Waits until anything was told; true if that is a count. */
  boolean isCount() {
    return outcome
        .handle((count, failure) -> failure == null)
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }
}
