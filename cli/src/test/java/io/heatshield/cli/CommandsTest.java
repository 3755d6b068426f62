package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CommandsTest {

  /** Every command that the list of the program's help names, and the program itself. */
  static Stream<String> commands() {
    String list = Invocation.of("help").out();
    Stream<String> names =
        list.substring(list.indexOf("Commands:"), list.indexOf("Exit codes:"))
            .lines()
            .filter(line -> line.matches("  [a-z]+ .*"))
            .map(line -> line.strip().replaceFirst(" .*", ""));
    return Stream.concat(Stream.of(""), names);
  }

  @Test
  void help_withoutCommand_listsThemAll() {
    assertThat(commands())
        .contains("demo", "serve", "check", "top", "hot", "explain", "stats", "savings")
        .contains("limit", "replay", "advise", "size", "completion", "help");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEveryCommand_showsUsageTwoExamplesAndExitCodes(String command) {
    Invocation help = Invocation.of((command + " --help").trim().split(" "));
    Invocation same = Invocation.of(("help " + command).trim().split(" "));

    assertThat(same).isEqualTo(help);
    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(
            help.out()
                .substring(help.out().indexOf("Examples:"))
                .lines()
                .filter(line -> line.matches("  .*heatshield .*")))
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(help.out())
        .startsWith(("Usage: heatshield " + command).trim())
        .contains("Examples:")
        .contains("Exit codes:")
        .contains("the result is negative")
        .contains("cannot run");
  }

  @Test
  void version_asked_isOneLine() {
    Invocation version = Invocation.of("--version");

    assertThat(version.code()).isZero();
    assertThat(version.out()).matches("heatshield \\d+\\.\\d+\\.\\d+\\S*\\R");
    assertThat(version.err()).isEmpty();
  }

  @Test
  void run_withoutCommand_reportsThatOneIsMissing() {
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
  void help_ofEveryCommand_usesCommonWords() {
    commands()
        .forEach(
            command ->
                assertThat(help(command).toLowerCase(Locale.ROOT))
                    .startsWith("usage: heatshield")
                    .doesNotContain("touch", " door", "burn", " told", "${"));
  }

  private static String help(String command) {
    return Invocation.of(("help " + command).trim().split(" ")).out();
  }

  @Test
  void help_ofAnUnknownCommand_namesTheNearest() {
    Invocation wrong = Invocation.of("help", "tpo");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err()).startsWith("heatshield: unknown command 'tpo'; did you mean 'top'?");
  }

  @Test
  void run_tooManyArguments_pointsToTheHelpOfThatCommand() {
    Invocation wrong = Invocation.of("savings", "bash");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err())
        .isEqualToNormalizingNewlines(
            """
            heatshield: unexpected argument 'bash'
            Try 'heatshield savings --help'.
            """);
  }

  @Test
  void run_argumentWithControlCharacters_showsThemEscaped() {
    Invocation wrong = Invocation.of("\u001b[31mred\n");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err()).contains("'\\x1b[31mred\\x0a'").doesNotContain("\u001b");
  }

  @Test
  void completion_ofAnUnknownShell_isWrongUsage() {
    Invocation wrong = Invocation.of("completion", "tcsh");

    assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(wrong.err()).contains("SHELL must be bash, zsh or fish: 'tcsh'");
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
