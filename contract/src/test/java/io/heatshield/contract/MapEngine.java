package io.heatshield.contract;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.Value;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The engine in the documentation of {@link Engine}: only what every engine must have. */
final class MapEngine implements Engine {
  private final ConcurrentSkipListMap<byte[], Value> map =
      new ConcurrentSkipListMap<>(Arrays::compare);

  @Override
  public Location location() {
    return Location.MEMORY;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return CompletableFuture.completedFuture(map.get(key));
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    for (Batch.Change change : batch.changes()) {
      Value after = change.after();
      if (after == null) {
        map.remove(change.key());
      } else {
        map.put(change.key(), after);
      }
    }
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    for (byte[] key : map.keySet()) {
      if (!sink.test(key)) {
        return;
      }
    }
  }

  @Override
  public void close() {}
}
