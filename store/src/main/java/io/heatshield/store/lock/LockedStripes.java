package io.heatshield.store.lock;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Stripes for engines whose stages are complete when they are returned: each is a lock. */
public final class LockedStripes implements Stripes {
  // A key belongs to the lock that the low bits of its hash name. Several are taken in ascending
  // order, so that there is no deadlock.
  private final ReentrantLock[] locks = new ReentrantLock[Stripes.COUNT];

  /** Creates the locks, all free. */
  public LockedStripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  @Override
  public <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action) {
    return holding(Stripes.places(hashes), action);
  }

  @Override
  public <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action) {
    int[] all = new int[Stripes.COUNT];
    Arrays.setAll(all, i -> i);
    return holding(all, action);
  }

  /** Returns the lock that a key with this hash belongs to. */
  public ReentrantLock of(long hash) {
    return locks[Stripes.place(hash)];
  }

  private <T> CompletionStage<T> holding(int[] needed, Supplier<CompletionStage<T>> action) {
    for (int lock : needed) {
      locks[lock].lock();
    }
    try {
      return action.get();
    } finally {
      for (int lock : needed) {
        locks[lock].unlock();
      }
    }
  }
}
