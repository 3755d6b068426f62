package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--password=hunter2",
        "--token=hunter2",
        "--admin-token=hunter2",
        "--redis_password=hunter2",
        "--API-KEY=hunter2",
        "--token=a\nhunter2",
        "redis://heat:hunter2@127.0.0.1:6379",
        "--url=rediss://:hunter2@cache",
      })
  void run_secretAmongTheArguments_isRefusedAndNotRepeated(String argument) {
    Invocation refused = Invocation.of("completion", argument);

    assertThat(refused.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("is not accepted on the command line").contains("file");
    assertThat(refused.err()).doesNotContain("hunter2").hasLineCount(1);
  }

  @Test
  void refusal_secretAsNextArgument_isRefusedByItsName() {
    List<String> args = List.of("serve", "--token", "hunter2");

    assertThat(Secrets.refusal(args)).get().asString().startsWith("--token is not accepted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--token-file=/run/token", "--help", "http://127.0.0.1:8080/a@b", "user:1@home"})
  void refusal_ordinaryArgument_isEmpty(String argument) {
    assertThat(Secrets.refusal(List.of(argument))).isEmpty();
  }
}
