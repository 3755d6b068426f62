package io.heatshield.contract;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ForwardingEngine;
import io.heatshield.store.engine.Value;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract of engines, for one that completes its stages later and has other writers. */
class LateMapEngineContractTest extends EngineContract {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  @Override
  protected Engine engine() {
    return new LateEngine(new MapEngine());
  }

  /** Makes the calls of its callers one after another, on a thread of its own. */
  private final class LateEngine extends ForwardingEngine {
    LateEngine(Engine engine) {
      super(engine);
    }

    @Override
    public Location location() {
      return Location.REMOTE;
    }

    @Override
    public CompletionStage<@Nullable Value> get(byte[] key) {
      return CompletableFuture.supplyAsync(() -> value(key), thread);
    }

    @Override
    public CompletionStage<Boolean> apply(Batch batch) {
      return CompletableFuture.supplyAsync(
          () ->
              batch.expected().stream().allMatch(e -> Objects.equals(value(e.key()), e.value()))
                  && engine().apply(batch).toCompletableFuture().join(),
          thread);
    }

    private @Nullable Value value(byte[] key) {
      return engine().get(key).toCompletableFuture().join();
    }
  }
}
