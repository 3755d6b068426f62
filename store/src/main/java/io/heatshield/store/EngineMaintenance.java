package io.heatshield.store;

import io.heatshield.store.engine.CallWatch;
import io.heatshield.store.engine.Engine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Deletes expired keys, moves keys back that are not written often any more, and writes changed
 * structures.
 *
 * <p>For one thread, but for {@link #expired}.
 */
final class EngineMaintenance {
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SAVED_AT_ONCE = 10_000;
  private static final int SWEPT_AT_ONCE = 1000;
  private static final int MOST_SWEEPS = 20;
  private static final int REJOINED_AT_ONCE = 500;

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
  void sweep() {
    int sweeps = 0;
    while (sweeps < MOST_SWEEPS && !context.calls().isClosed() && sweepOnce() == SWEPT_AT_ONCE) {
      sweeps++;
    }
  }

  /** Moves keys back that are not written often any more. */
  void rejoin() {
    if (guard.router().isEmpty()) {
      return;
    }
    Router router = guard.router().get();
    for (byte[] key : watched(() -> engine.apart(REJOINED_AT_ONCE))) {
      if (!router.isHot(key, context.hash().hash(key))) {
        holding(key, () -> engine.rejoin(key));
      }
    }
  }

  /** Writes structures that have changed, each about once a second. */
  void saveStructures() {
    long now = context.ticker().nanos();
    if (now - savedAt >= SAVE_NANOS) {
      savedAt = now;
      for (byte[] key : engine.unsaved(SAVED_AT_ONCE)) {
        holding(key, () -> engine.save(key));
      }
    }
  }

  /** Returns how many expired keys were deleted. */
  long expired() {
    return expired.sum();
  }

  private int sweepOnce() {
    long now = context.clock().getAsLong();
    List<byte[]> ended = watched(() -> engine.expired(now, SWEPT_AT_ONCE));
    for (byte[] key : ended) {
      if (writes.dropIfEnded(Keys.of(key, context.hash().hash(key)))) {
        expired.increment();
      }
    }
    return ended.size();
  }

  private void holding(byte[] key, Runnable action) {
    writes
        .holding(
            Keys.of(key, context.hash().hash(key)),
            () -> {
              action.run();
              return CompletableFuture.<Void>completedFuture(null);
            })
        .toCompletableFuture()
        .join();
  }

  private List<byte[]> watched(Supplier<List<byte[]>> call) {
    CallWatch.Slot slot = context.watch().enter();
    try {
      return call.get();
    } finally {
      slot.leave();
    }
  }
}
