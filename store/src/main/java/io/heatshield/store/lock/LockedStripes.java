package io.heatshield.store.lock;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Stripes for engines whose stages are complete when they are returned: each is a lock. */
public final class LockedStripes implements Stripes {
  private final ReentrantLock[] locks = new ReentrantLock[Stripes.COUNT];

  /** Creates the locks, all free. */
  public LockedStripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  /** Returns the lock of a key. */
  public ReentrantLock of(long hash) {
    return locks[Stripes.place(hash)];
  }

  @Override
  public <T> CompletionStage<T> holding(int[] places, Supplier<CompletionStage<T>> action) {
    for (int place : places) {
      locks[place].lock();
    }
    try {
      return action.get();
    } finally {
      for (int place : places) {
        locks[place].unlock();
      }
    }
  }
}
