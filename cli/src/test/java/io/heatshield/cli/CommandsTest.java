package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "serve", "check", "replay", "advise", "completion"})
  void help_ofEveryCommand_showsUsageExamplesAndExitCodes(String command) {
    Invocation help = Invocation.of((command + " --help").trim().split(" "));

    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .startsWith(("Usage: heatshield " + command).trim())
        .contains("Examples:")
        .contains("Exit codes:")
        .contains("the answer is no")
        .contains("cannot reach or run");
  }

  @Test
  void version_asked_isOneLine() {
    Invocation version = Invocation.of("--version");

    assertThat(version.code()).isZero();
    assertThat(version.out()).matches("heatshield \\d+\\.\\d+\\.\\d+\\S*\\R");
    assertThat(version.err()).isEmpty();
  }

  @Test
  void run_withoutCommand_saysThatOneIsMissing() {
    Invocation nothing = Invocation.of();

    assertThat(nothing.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(nothing.out()).isEmpty();
    assertThat(nothing.err())
        .isEqualToNormalizingNewlines(
            """
            heatshield: missing required subcommand
            Try 'heatshield --help'.
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "--verson, unknown option '--verson'; did you mean '--version'?",
    "--hepl=3, unknown option '--hepl'; did you mean '--help'?",
    "compeltion, unknown command 'compeltion'; did you mean 'completion'?",
    "sreve, unknown command 'sreve'; did you mean 'serve'?",
    "xyzzy, unknown command 'xyzzy'",
  })
  void run_mistypedName_namesTheNearest(String word, String sentence) {
    Invocation wrong = Invocation.of(word);

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err())
        .isEqualToNormalizingNewlines("heatshield: " + sentence + "\nTry 'heatshield --help'.\n");
  }

  @Test
  void run_tooManyArguments_pointsToTheHelpOfThatCommand() {
    Invocation wrong = Invocation.of("completion", "bash");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err())
        .isEqualToNormalizingNewlines(
            """
            heatshield: unexpected argument 'bash'
            Try 'heatshield completion --help'.
            """);
  }

  @Test
  void run_argumentWithControlCharacters_showsThemEscaped() {
    Invocation wrong = Invocation.of("\u001b[31mred\n");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err()).contains("'\\x1b[31mred\\x0a'").doesNotContain("\u001b");
  }

  @Test
  void completion_run_printsAScriptThatKnowsTheCommands() {
    Invocation completion = Invocation.of("completion");

    assertThat(completion.code()).isZero();
    assertThat(completion.out())
        .contains("complete -F _complete_heatshield")
        .contains("completion")
        .contains("--version");
  }
}
