package io.heatshield.redis.command;

import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the outcome of a command, and how often it was delivered. */
public final class RecordingSink implements CountSink {
  public final AtomicInteger times = new AtomicInteger();
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

  public boolean isDone() {
    return outcome.isDone();
  }

  /** Waits for the count. */
  public long count() {
    try {
      return outcome.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getMessage(), e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no outcome", e);
    }
  }

  /** Waits for the failure. */
  public Failure failure() {
    try {
      throw new AssertionError("counted: " + outcome.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisException reason) {
        return reason.failure();
      }
      throw new AssertionError("another failure", e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no outcome", e);
    }
  }

  /** Waits for the outcome; true if it is a count. */
  public boolean isCount() {
    return outcome
        .handle((count, failure) -> failure == null)
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }
}
