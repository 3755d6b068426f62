package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.health.Health;
import io.heatshield.store.engine.EngineFaults;
import org.junit.jupiter.api.Test;

class StoreHealthTest {
  private final Health health = new Health();
  private final Health.Check check = health.expect("store orders");

  @Test
  void report_whileTheDiskRejectsWrites_isNotReadyUntilItAcceptsThem() {
    StoreHealth.report(new EngineFaults("No space left on device", 3, "", 0), check);
    assertThat(health.missing())
        .containsExactly("store orders: writes are refused: No space left on device");

    StoreHealth.report(new EngineFaults("", 3, "", 0), check);
    assertThat(health.isReady()).isTrue();
  }

  @Test
  void report_ofDamage_isReadyWithAWarning() {
    StoreHealth.report(new EngineFaults("", 0, "000009.sst is damaged", 1), check);

    assertThat(health.isReady()).isTrue();
    assertThat(health.warnings()).containsExactly("store orders: 000009.sst is damaged");
  }
}
