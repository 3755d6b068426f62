package io.heatshield.store.lock;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Serializes the writes of one key. Any thread may call any method. */
public interface Stripes {
  /** How many keys may be written at the same time. */
  int COUNT = 256;

  /** Returns the stripe that a key belongs to. */
  static int place(long hash) {
    return (int) hash & (COUNT - 1);
  }

  /** Returns the stripes of several keys, in the order in which they are taken. */
  static int[] places(long[] hashes) {
    if (hashes.length == 1) {
      return new int[] {place(hashes[0])};
    }
    return Arrays.stream(hashes).mapToInt(Stripes::place).sorted().distinct().toArray();
  }

  /** Runs an action while nobody else holds a key with one of these hashes. */
  <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action);

  /** Runs an action while nobody else holds any key. */
  <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action);
}
