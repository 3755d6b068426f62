package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.StopSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

  @Test
  void demo_signalRaised_printsTheAddressAndExitsWithZero() {
    var signal = new StopSignal();
    signal.raise();

    Invocation demo = Invocation.of(signal, "demo", "--http", "0", "--grpc", "0", "--resp", "0");

    assertThat(demo.code()).isZero();
    assertThat(demo.out())
        .containsPattern("page +http://127\\.0\\.0\\.1:[0-9]+/#token=[0-9a-f]{32}")
        .contains("5000 commands/s", "1/4  hot-key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--seconds=0", "--seconds=x", "--port=70000", "--port=-1", "--scene=storm"})
  void demo_impossibleOption_isWrongUsage(String option) {
    Invocation demo = Invocation.of("demo", option);

    assertThat(demo.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(demo.err()).contains("--help");
  }

  @Test
  void demo_redisThatDoesNotAnswer_cannotRun() {
    Invocation demo = Invocation.of("demo", "--redis", "redis://127.0.0.1:1");

    assertThat(demo.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(demo.err()).contains("--redis").doesNotContain("Exception");
  }

  @Test
  void demo_addressThatIsNoRedisUrl_isWrongUsage() {
    Invocation demo = Invocation.of("demo", "--redis", "http://127.0.0.1");

    assertThat(demo.code()).isEqualTo(ExitCode.WRONG_USAGE);
  }
}
