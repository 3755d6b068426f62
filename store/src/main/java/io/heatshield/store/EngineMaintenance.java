package io.heatshield.store;

import io.heatshield.guard.WriteRouter;
import io.heatshield.store.engine.DeferredWrites;
import io.heatshield.store.engine.ExpirySweep;
import io.heatshield.store.engine.KeyRouting;
import java.util.List;
import java.util.Optional;
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
  private final Optional<ExpirySweep> expiries;
  private final Optional<KeyRouting> routing;
  private final Optional<DeferredWrites> deferred;
  private final StoreGuard guard;
  private final Writes writes;
  private final LongAdder expired = new LongAdder();
  private long savedAt;

  EngineMaintenance(StoreContext context, StoreGuard guard, Writes writes) {
    this.context = context;
    this.expiries = context.engine().capability(ExpirySweep.class);
    this.routing = context.engine().capability(KeyRouting.class);
    this.deferred = context.engine().capability(DeferredWrites.class);
    this.guard = guard;
    this.writes = writes;
  }

  /** Deletes keys that have expired, a bounded number at a time. */
  void deleteExpired() {
    if (expiries.isEmpty()) {
      return;
    }
    int rounds = 0;
    while (rounds < MAX_ROUNDS
        && !context.calls().isClosed()
        && deleteSome(expiries.get()) == MAX_DELETED) {
      rounds++;
    }
  }

  /** Moves keys back that are no longer written often. */
  void unroute() {
    if (guard.router().isEmpty() || routing.isEmpty()) {
      return;
    }
    WriteRouter router = guard.router().get();
    KeyRouting engine = routing.get();
    for (byte[] key : context.calls().watch().run(() -> engine.routedKeys(MAX_MOVED))) {
      if (!router.isHot(key, context.hash().hash(key))) {
        holding(key, () -> engine.unroute(key));
      }
    }
  }

  /** Saves structures that have changed, each about once a second. */
  void saveStructures() {
    long now = context.ticker().nanos();
    if (deferred.isEmpty() || now - savedAt < SAVE_NANOS) {
      return;
    }
    savedAt = now;
    for (byte[] key : deferred.get().unsaved(MAX_SAVED)) {
      holding(key, () -> deferred.get().save(key));
    }
  }

  /** Returns how many times a key was moved to the frequently written keys or back. */
  long moves() {
    return routing.map(KeyRouting::moves).orElse(0L);
  }

  /** Returns the number of expired keys that were deleted. */
  long expired() {
    return expired.sum();
  }

  private int deleteSome(ExpirySweep engine) {
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
