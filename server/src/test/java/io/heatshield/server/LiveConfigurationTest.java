package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.runtime.metrics.Metrics;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveConfigurationTest {

  @Test
  void patch_listenerThrows_othersAreCalled() {
    var result = (LoadResult.Valid) new ConfigLoader(Map.of()).load("none", new byte[0]);
    var live = new LiveConfiguration(result.configuration(), next -> next, new Metrics());
    var applied = new ArrayList<Double>();
    live.onChange(
        next -> {
          throw new IllegalStateException("fails on purpose");
        });
    live.onChange(next -> applied.add((double) next.detect().threshold()));

    live.patch(Map.of("detect.threshold", "77"));

    assertThat(applied).containsExactly(77.0);
  }
}
