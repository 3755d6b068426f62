package io.heatshield.store;

import io.heatshield.store.engine.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Keys and results of a store in tests. */
public final class GuardedSubject {
  private GuardedSubject() {}

  /** Returns the UTF-8 of a text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Waits for an answer, and throws the store's own exception. */
  public static <T> T now(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
