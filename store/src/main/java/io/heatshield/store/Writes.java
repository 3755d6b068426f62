package io.heatshield.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The way of a write. */
final class Writes {
  static final int SWEPT_AT_ONCE = 1000;

  private final Engine engine;
  private final EngineCalls calls;
  private final Stripes stripes;
  private final Stamps stamps;
  private final LongSupplier clock;

  Writes(Engine engine, EngineCalls calls, Stripes stripes, Stamps stamps, LongSupplier clock) {
    this.engine = engine;
    this.calls = calls;
    this.stripes = stripes;
    this.stamps = stamps;
    this.clock = clock;
  }

  CompletionStage<Written<Boolean>> put(byte[] key, long hash, Value value) {
    return update(
        Keys.of(key, hash),
        view -> {
          view.put(key, value);
          return true;
        });
  }

  <T> CompletionStage<Written<T>> update(Keys keys, Transaction<T> body) {
    return calls.make(() -> stripes.holding(keys.hashes(), () -> run(keys, body)));
  }

  /** Deletes a key if what it holds has ended, and returns whether that was so. */
  boolean dropIfExpired(Keys keys) {
    return stripes
        .holding(
            keys.hashes(),
            () -> {
              Value value = held(keys.key(0));
              if (value == null || !value.isExpired(clock.getAsLong())) {
                return CompletableFuture.completedFuture(false);
              }
              return engine.apply(Batch.of(keys.key(0), null)).thenApply(Engine.Applied::done);
            })
        .toCompletableFuture()
        .join();
  }

  CompletionStage<Void> clear() {
    return calls.make(() -> stripes.holdingAll(() -> engine.clear().thenRun(stamps::allChanged)));
  }

  void close() {
    engine.close();
  }

  private <T> CompletionStage<Written<T>> run(Keys keys, Transaction<T> body) {
    var draft = new Draft(keys, stamps, clock.getAsLong(), this::held);
    T answer = body.run(draft);
    return commit(keys, draft, answer);
  }

  private <T> CompletionStage<Written<T>> commit(Keys keys, Draft draft, @Nullable T answer) {
    int[] places = draft.changes();
    if (places.length == 0) {
      return CompletableFuture.completedFuture(Written.of(answer));
    }
    List<Batch.Change> changes = new ArrayList<>(places.length);
    for (int place : places) {
      changes.add(new Batch.Change(keys.key(place), draft.after(place), false));
    }
    return engine
        .apply(new Batch(changes, List.of(), false))
        .thenApply(
            applied -> {
              for (int place : places) {
                stamps.changed(keys.hash(place));
              }
              return Written.of(answer);
            });
  }

  private @Nullable Value held(byte[] key) {
    return engine.get(key).toCompletableFuture().join();
  }
}
