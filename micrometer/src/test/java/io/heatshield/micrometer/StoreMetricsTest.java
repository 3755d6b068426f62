package io.heatshield.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.metrics.PrometheusText;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final GuardedStore store = store();

  @AfterEach
  void close() throws Exception {
    store.close();
    registry.close();
  }

  @Test
  void bindTo_store_givesTheMetricsOfTheServer() {
    new StoreMetrics(store, "users").bindTo(registry);

    var expected = new ArrayList<>(ServerMetrics.labelled("store"));
    expected.addAll(ServerMetrics.labelled("part", "store"));
    assertThat(PrometheusText.metrics(registry.scrape()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void bindTo_nameOfAnotherStore_isRefused() throws Exception {
    new StoreMetrics(store, "users").bindTo(registry);

    try (GuardedStore other = store()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new StoreMetrics(other, "users").bindTo(registry))
          .withMessage("name must be the name of one structure only in a registry: users");
    }
  }

  @Test
  void unbindFrom_store_removesEveryMeter() {
    var metrics = new StoreMetrics(store, "users");
    metrics.bindTo(registry);

    metrics.unbindFrom(registry);

    assertThat(registry.getMeters()).isEmpty();
  }

  private static GuardedStore store() {
    return GuardedStore.over(new MemoryEngine(1 << 20)).withoutUpkeep().build();
  }
}
