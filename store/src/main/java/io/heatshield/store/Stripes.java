package io.heatshield.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Keeps the writes of one key in a row. Any thread may call any method. */
interface Stripes {

  /** Runs an action while nobody else holds a key with one of these hashes. */
  <T> CompletionStage<T> holding(long[] hashes, Supplier<CompletionStage<T>> action);

  /** Runs an action while nobody else holds any key. */
  <T> CompletionStage<T> holdingAll(Supplier<CompletionStage<T>> action);
}
