package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

  @Test
  void demo_signalRaised_saysWhereToLookAndEndsFine() {
    var signal = new StopSignal();
    signal.raise();

    Invocation demo = Invocation.of(signal, "demo", "--port", "0");

    assertThat(demo.code()).isZero();
    assertThat(demo.out())
        .contains("dashboard    http://127.0.0.1:", "/api/v1/hot?scope=demo", "admin token");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seconds=0", "--seconds=x", "--port=70000", "--port=-1"})
  void demo_impossibleOption_isWrongUsage(String option) {
    Invocation demo = Invocation.of("demo", option);

    assertThat(demo.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(demo.err()).contains("--help");
  }
}
