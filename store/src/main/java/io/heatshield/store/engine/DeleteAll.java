package io.heatshield.store.engine;

import io.heatshield.store.call.Stages;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      Map<ByteBuffer, byte[]> keys = some(engine);
      if (keys.isEmpty()) {
        return CompletableFuture.completedFuture(null);
      }
      if (engine.location().isLocal() && keys.keySet().equals(before)) {
        throw new IllegalStateException("the engine still has the keys that it deleted");
      }
      before = keys.keySet();
      CompletionStage<Boolean> deleted = engine.apply(deletion(keys.values()));
      if (!Stages.isAnswered(deleted)) {
        return deleted.thenCompose(done -> of(engine));
      }
    }
  }

  /** Returns some keys, each once. */
  private static Map<ByteBuffer, byte[]> some(Engine engine) {
    var keys = new LinkedHashMap<ByteBuffer, byte[]>();
    engine.forEachKey(
        key -> {
          keys.put(ByteBuffer.wrap(key), key);
          return keys.size() < BATCH;
        });
    return keys;
  }

  private static Batch deletion(Collection<byte[]> keys) {
    return new Batch(keys.stream().map(key -> Batch.Change.of(key, null)).toList(), List.of());
  }
}
