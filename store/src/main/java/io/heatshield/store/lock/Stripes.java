package io.heatshield.store.lock;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Serializes the writes of one key. A key belongs to the stripe that the low bits of its hash name.
 *
 * <p>Any thread may call any method.
 */
public interface Stripes {
  /** The number of stripes: how many keys may be written at the same time. */
  int COUNT = 256;

  /** Returns the stripe of a key. */
  static int place(long hash) {
    return (int) hash & (COUNT - 1);
  }

  /** Runs an action while no other action holds a key with one of these hashes. */
  default <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action) {
    if (hashes.length == 1) {
      return holding(new int[] {place(hashes[0])}, action);
    }
    int[] places = Arrays.stream(hashes).mapToInt(Stripes::place).sorted().distinct().toArray();
    return holding(places, action);
  }

  /** Runs an action while no other action holds any key. */
  default <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action) {
    return holding(IntStream.range(0, COUNT).toArray(), action);
  }

  /** Runs an action while no other action holds any key, and waits until it has ended. */
  default void runHoldingAll(Runnable action) {
    holdingAll(() -> CompletableFuture.completedFuture(null).thenRun(action))
        .toCompletableFuture()
        .join();
  }

  /**
   * Runs an action while no other action holds one of these stripes.
   *
   * @param places the stripes in ascending order, which prevents deadlocks
   */
  <T> CompletionStage<T> holding(int[] places, Supplier<CompletionStage<T>> action);
}
