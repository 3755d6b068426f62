package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heatshield.config.yaml.Fault;
import java.util.Map;

class ConfigFuzzTest {

  @FuzzTest
  void load_anyBytes_isSettingsOrFaults(byte[] bytes) {
    LoadResult result = new ConfigLoader(Map.of("A", "b")).load("f", bytes);

    if (result instanceof LoadResult.Invalid invalid) {
      assertThat(invalid.faults()).isNotEmpty();
      for (Fault fault : invalid.faults()) {
        assertThat(fault.toString()).doesNotContainPattern("\\p{Cntrl}");
      }
    } else if (result instanceof LoadResult.Valid valid) {
      assertThat(valid.configuration().effective()).isNotEmpty();
    }
  }
}
