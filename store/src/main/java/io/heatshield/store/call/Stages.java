package io.heatshield.store.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Chains stages, on the calling thread if they are complete already. */
public final class Stages {
  private Stages() {}

  /** Returns a stage with the result of a function of another stage's value. */
  public static <T, U> CompletionStage<U> then(CompletionStage<T> stage, Function<T, U> next) {
    if (isAnswered(stage)) {
      try {
        return CompletableFuture.completedFuture(next.apply(stage.toCompletableFuture().join()));
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return stage.thenApply(next);
  }

  /** Returns the stage that a function returns for another stage's value. */
  public static <T, U> CompletionStage<U> compose(
      CompletionStage<T> stage, Function<T, CompletionStage<U>> next) {
    if (isAnswered(stage)) {
      try {
        return next.apply(stage.toCompletableFuture().join());
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return stage.thenCompose(next);
  }

  /** Returns whether a stage has a value; the JDK's minimal stages do not support the question. */
  public static boolean isAnswered(CompletionStage<?> stage) {
    return stage.getClass() == CompletableFuture.class
        && stage.toCompletableFuture().isDone()
        && !stage.toCompletableFuture().isCompletedExceptionally();
  }
}
