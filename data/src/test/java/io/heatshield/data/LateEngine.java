package io.heatshield.data;

import io.heatshield.store.engine.ForwardingEngine;
import io.heatshield.store.engine.Value;
import io.heatshield.store.memory.MemoryEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An engine whose single reads wait for a gate; the first read is signalled. */
final class LateEngine extends ForwardingEngine {
  private final CompletableFuture<Void> gate;
  private final CompletableFuture<Void> asked;

  LateEngine(CompletableFuture<Void> gate, CompletableFuture<Void> asked) {
    super(new MemoryEngine(1 << 20));
    this.gate = gate;
    this.asked = asked;
  }

  @Override
  public Location location() {
    return Location.REMOTE;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    CompletionStage<@Nullable Value> answer = super.get(key);
    asked.complete(null);
    return gate.thenCompose(open -> answer);
  }
}
