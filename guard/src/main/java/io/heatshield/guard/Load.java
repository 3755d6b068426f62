package io.heatshield.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One load of a key from the backend.
 *
 * <p>{@link HotValues#begin} starts it, and {@link HotValues#complete} or {@link HotValues#abandon}
 * ends it. It is pending in between, unless its key is invalidated: then its value is never kept.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
public final class Load<K extends HashedKey, V> {
  private final K key;
  private final long beganNanos;
  private final CompletableFuture<@Nullable V> result = new CompletableFuture<>();

  Load(K key, long beganNanos) {
    this.key = key;
    this.beganNanos = beganNanos;
  }

  /** Returns the key. */
  public K key() {
    return key;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** Returns the stage that is shared by all reads of this load. */
  CompletionStage<@Nullable V> result() {
    return result;
  }

  void resolve(@Nullable V value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
