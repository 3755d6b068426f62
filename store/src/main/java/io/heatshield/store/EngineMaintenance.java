package io.heatshield.store;

import io.heatshield.guard.WriteRouter;
import io.heatshield.store.engine.Engine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Deletes expired keys, moves keys back that are no longer written often, and saves changed
 * structures.
 *
 * <p>Not thread-safe, except for {@link #expired}.
 */
final class EngineMaintenance {
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_SAVED = 10_000;
  private static final int MAX_DELETED = 1000;
  private static final int MAX_ROUNDS = 20;
  private static final int MAX_MOVED = 500;

  private final StoreContext context;
  private final Engine engine;
  private final StoreGuard guard;
  private final Writes writes;
  private final LongAdder expired = new LongAdder();
  private long savedAt;

  EngineMaintenance(StoreContext context, StoreGuard guard, Writes writes) {
    this.context = context;
    this.engine = context.engine();
    this.guard = guard;
    this.writes = writes;
  }

  /** Deletes keys that have expired, a bounded number at a time. */
  void deleteExpired() {
    int rounds = 0;
    while (rounds < MAX_ROUNDS && !context.calls().isClosed() && deleteSome() == MAX_DELETED) {
      rounds++;
    }
  }

  /** Moves keys back that are no longer written often. */
  void unroute() {
    if (guard.router().isEmpty()) {
      return;
    }
    WriteRouter router = guard.router().get();
    for (byte[] key : context.calls().watch().run(() -> engine.routedKeys(MAX_MOVED))) {
      if (!router.isHot(key, context.hash().hash(key))) {
        holding(key, () -> engine.unroute(key));
      }
    }
  }

  /** Saves structures that have changed, each about once a second. */
  void saveStructures() {
    long now = context.ticker().nanos();
    if (now - savedAt >= SAVE_NANOS) {
      savedAt = now;
      for (byte[] key : engine.unsaved(MAX_SAVED)) {
        holding(key, () -> engine.save(key));
      }
    }
  }

  /** Returns the number of expired keys that were deleted. */
  long expired() {
    return expired.sum();
  }

  private int deleteSome() {
    long now = context.clock().getAsLong();
    List<byte[]> ended = context.calls().watch().run(() -> engine.expired(now, MAX_DELETED));
    for (byte[] key : ended) {
      if (writes.deleteIfExpired(Keys.of(key, context.hash().hash(key)))) {
        expired.increment();
      }
    }
    return ended.size();
  }

  private void holding(byte[] key, Runnable action) {
    writes
        .holding(
            Keys.of(key, context.hash().hash(key)),
            () -> CompletableFuture.completedFuture(null).thenRun(action))
        .toCompletableFuture()
        .join();
  }
}
