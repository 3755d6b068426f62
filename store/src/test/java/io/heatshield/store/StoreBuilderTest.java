package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.Value;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreBuilderTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void writeLimit_enforced_admitsExactlyTheLimitInAWindow() {
    try (GuardedStore store =
        GuardedStore.over(new MemoryEngine(1 << 20))
            .ticker(ticker::nanos)
            .writeLimit(Mode.ENFORCE, 10, Duration.ofSeconds(1))
            .maxMemory(64 << 20)
            .build()) {

      assertThat(throttled(store, 12)).isEqualTo(2);
      ticker.advance(Duration.ofSeconds(1));
      assertThat(throttled(store, 12)).isEqualTo(2);
    }
  }

  @Test
  void options_thenSingleSetters_changeOnlyThese() {
    try (GuardedStore store =
        GuardedStore.over(new MemoryEngine(1 << 20))
            .options(StoreOptions.of("users").unguarded())
            .name("posts")
            .writeLimit(Mode.ENFORCE, 1, Duration.ofSeconds(1))
            .ticker(ticker::nanos)
            .build()) {

      assertThat(throttled(store, 2)).isEqualTo(1);
      assertThat(store.stats().filterBytes()).isZero();
    }
  }

  @Test
  void maxMemory_tooSmall_isRefused() {
    StoreBuilder builder = GuardedStore.over(new MemoryEngine(1 << 20));

    assertThatThrownBy(() -> builder.maxMemory(1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max memory must be at least 1048576 bytes: 1000");
  }

  private static long throttled(GuardedStore store, int writes) {
    byte[] key = "k".getBytes(StandardCharsets.UTF_8);
    long throttled = 0;
    for (int i = 0; i < writes; i++) {
      throttled += store.put(key, Value.of("v")).toCompletableFuture().join().isThrottled() ? 1 : 0;
    }
    return throttled;
  }
}
