package io.heatshield.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ForwardingEngine;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The tests of an engine behind a store with all protections. */
abstract class GuardedContract extends StoreContract {
  private static final int CALLS = 3000;
  private static final int KEYS = 40;

  /** Creates the suite. */
  GuardedContract() {}

  @Test
  void guardedStore_withAllProtections_answersAsAMapWould() {
    var random = new SplittableRandom(1);
    Map<String, String> model = new HashMap<>();
    store().put("k1", "before the store was opened");
    model.put("k1", "before the store was opened");

    try (var guarded = new TextStore(guarded())) {
      for (int call = 0; call < CALLS; call++) {
        String key = "k" + random.nextInt(KEYS);
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            guarded.put(key, "v" + call);
            model.put(key, "v" + call);
          }
          case 2 ->
              assertThat(guarded.delete(key)).as("%s", call).isEqualTo(model.remove(key) != null);
          case 3 ->
              assertThat(guarded.getAll(List.of(key, "k1")))
                  .as("call %d", call)
                  .containsExactly(
                      Optional.ofNullable(model.get(key)), Optional.ofNullable(model.get("k1")));
          default ->
              assertThat(guarded.get(key))
                  .as("call %d", call)
                  .isEqualTo(Optional.ofNullable(model.get(key)));
        }
        if (call % 500 == 100) {
          guarded.guarded().maintain();
        }
      }

      assertThat(guarded.scan(7)).isEqualTo(model.keySet());
      assertThat(guarded.guarded().stats().disagreements()).isZero();
    }
  }

  private GuardedStore guarded() {
    StoreOptions options =
        StoreOptions.of("guarded")
            .maxMemory(16 << 20)
            .with(StoreOptions.Filter.of(Mode.ENFORCE, 1000))
            .with(
                new StoreOptions.HotReads(
                    Mode.ENFORCE, 2, Duration.ofSeconds(15), Duration.ofSeconds(1)))
            .with(new StoreOptions.WriteLimit(Mode.OBSERVE, 5, 0, 2));
    return GuardedStore.over(new Unclosed(opened()))
        .options(options)
        .clock(this::nowMillis)
        .withoutUpkeep()
        .build();
  }

  /** Leaves the engine open for the store of the suite. */
  private static final class Unclosed extends ForwardingEngine {
    Unclosed(Engine engine) {
      super(engine);
    }

    @Override
    public void close() {}
  }
}
