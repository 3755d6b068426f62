package io.heatshield.limit;

import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Calls a counter backend in tests. */
public final class Counting {
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private Counting() {}

  public static CounterKey key(String domain, String key, Limit limit) {
    return CounterKey.of(domain, List.of(new DescriptorEntry(key, "")), limit);
  }

  /** Adds hits; the future completes with the outcome of the sink. */
  public static CompletableFuture<Long> add(
      CounterBackend backend, CounterKey key, Limit limit, long hits, long clockMillis) {
    var result = new CompletableFuture<Long>();
    backend.add(key, limit, hits, clockMillis, new FutureSink(result), 7);
    return result;
  }

  private record FutureSink(CompletableFuture<Long> count) implements CounterSink {
    @Override
    public void counted(int slot, long value) {
      if (slot != 7 || !count.complete(value)) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      if (slot != 7 || !count.completeExceptionally(reason)) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }
  }
}
