package io.heatshield.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
   *
   * counted   written by the holder, opaque; read by anyone, opaque
   */
  private static final VarHandle COUNTED;

  static {
    try {
      COUNTED = MethodHandles.lookup().findVarHandle(Stripe.class, "counted", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Stripe[] locks = new Stripe[Stripes.COUNT];

  LockedStripes() {
    Arrays.setAll(locks, i -> new Stripe());
  }

  @Override
  public <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action) {
    if (hashes.length == 1) {
      ReentrantLock lock = of(hashes[0]).lock;
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
  Stripe of(long hash) {
    return locks[Stripes.place(hash)];
  }

  /** Returns what {@link Stripe#count} has counted. */
  long counted() {
    long sum = 0;
    for (Stripe lock : locks) {
      sum += (long) COUNTED.getOpaque(lock);
    }
    return sum;
  }

  private <T> CompletionStage<T> holding(int[] needed, Supplier<CompletionStage<T>> action) {
    for (int lock : needed) {
      locks[lock].lock.lock();
    }
    try {
      return action.get();
    } finally {
      for (int lock : needed) {
        locks[lock].lock.unlock();
      }
    }
  }

  /** One lock, and a number that costs no more than a plain one because its holder raises it. */
  static final class Stripe {
    final ReentrantLock lock = new ReentrantLock();
    private long counted;

    /** Raises the number; for the holder. */
    void count() {
      COUNTED.setOpaque(this, counted + 1);
    }
  }
}
