package io.heatshield.store;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Stripes for engines whose stages are complete when they are returned: who comes second waits for
 * a lock.
 */
final class LockedStripes implements Stripes {
  /*
   * A key belongs to the lock that the low bits of its hash name. Several are taken in ascending order, so nobody waits
   * in a circle.
   */
  private final ReentrantLock[] locks = new ReentrantLock[Stripes.COUNT];

  LockedStripes() {
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  @Override
  public <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action) {
    if (hashes.length == 1) {
      ReentrantLock lock = lockOf(hashes[0]);
      lock.lock();
      try {
        return action.get();
      } finally {
        lock.unlock();
      }
    }
    return holding(Stripes.places(hashes), action);
  }

  @Override
  public <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action) {
    int[] all = new int[Stripes.COUNT];
    Arrays.setAll(all, i -> i);
    return holding(all, action);
  }

  /** Returns the lock that a key with this hash belongs to. */
  ReentrantLock lockOf(long hash) {
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
