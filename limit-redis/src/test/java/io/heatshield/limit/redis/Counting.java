package io.heatshield.limit.redis;

import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The fixture of tests with counters in Redis. */
final class Counting {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private Counting() {}

  /** Opens a client with a budget that a busy machine keeps, and waits for the server. */
  static Redis open(URI uri, Duration budget) {
    Redis redis =
        Redis.builder(RedisUrl.parse(uri.toString()))
            .budget(budget)
            .connectTimeout(Duration.ofSeconds(2))
            .open();
    if (!redis.awaitUp(PATIENCE)) {
      throw new IllegalStateException("Redis is not up");
    }
    return redis;
  }

  static CounterKey key(String domain, String key, Limit limit) {
    return CounterKey.of(domain, List.of(new DescriptorEntry(key, "")), limit);
  }

  /** Adds hits; the future completes with the outcome of the sink. */
  static CompletableFuture<Long> add(
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
