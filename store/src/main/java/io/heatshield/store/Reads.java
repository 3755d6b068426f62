package io.heatshield.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The way of a read. */
final class Reads {
  private final Engine engine;
  private final EngineCalls calls;
  private final Stripes stripes;
  private final LongSupplier clock;

  Reads(Engine engine, EngineCalls calls, Stripes stripes, LongSupplier clock) {
    this.engine = engine;
    this.calls = calls;
    this.stripes = stripes;
    this.clock = clock;
  }

  CompletionStage<@Nullable Value> get(byte[] key, long hash) {
    return fresh(key);
  }

  /** Returns what the engine holds. */
  CompletionStage<@Nullable Value> fresh(byte[] key) {
    return calls.make(() -> engine.get(key)).thenApply(this::live);
  }

  CompletionStage<List<@Nullable Value>> getAll(Keys keys) {
    return calls
        .make(() -> stripes.holding(keys.hashes(), () -> engine.getAll(keys.list())))
        .thenApply(
            values -> {
              var live = new ArrayList<@Nullable Value>(values.size());
              values.forEach(value -> live.add(live(value)));
              return live;
            });
  }

  CompletionStage<ScanPage> scan(long cursor, int count) {
    return calls
        .make(() -> engine.scan(cursor, count))
        .thenApply(
            page -> {
              long now = clock.getAsLong();
              return new ScanPage(
                  page.cursor(),
                  page.keys().stream().filter(found -> found.expiresAt() > now).toList());
            });
  }

  CompletionStage<Long> size() {
    return calls.make(engine::size);
  }

  private @Nullable Value live(@Nullable Value value) {
    return value == null || (value.expires() && value.isExpired(clock.getAsLong())) ? null : value;
  }
}
