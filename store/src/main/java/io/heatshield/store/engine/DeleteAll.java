package io.heatshield.store.engine;

import io.heatshield.store.call.Stages;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deletes all keys of an engine that has no operation for it, some at a time. */
final class DeleteAll {
  static final int BATCH = 1000;

  private DeleteAll() {}

  static CompletionStage<Void> of(Engine engine) {
    Set<ByteBuffer> before = Set.of();
    while (true) {
      Set<ByteBuffer> keys = some(engine);
      if (keys.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      if (engine.location().isLocal() && keys.equals(before)) {
        throw new IllegalStateException("the engine still has the keys that it deleted");
      }
      before = keys;
      CompletionStage<Boolean> deleted = engine.apply(deletion(keys));
      if (!Stages.isAnswered(deleted)) {
        return deleted.thenCompose(done -> of(engine));
      }
    }
  }

  private static Set<ByteBuffer> some(Engine engine) {
    var keys = new LinkedHashSet<ByteBuffer>();
    engine.forEachKey(
        key -> {
          keys.add(ByteBuffer.wrap(key));
          return keys.size() < BATCH;
        });
    return keys;
  }

  private static Batch deletion(Set<ByteBuffer> keys) {
    return new Batch(
        keys.stream().map(key -> Batch.Change.of(key.array(), null)).toList(), List.of());
  }
}
