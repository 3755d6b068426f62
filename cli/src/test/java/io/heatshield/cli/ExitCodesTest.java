package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same mistake has the same exit code and the same message in every command. */
class ExitCodesTest {
  /** Every place of a command line where a file is read; FILE stands for it. */
  private static final String[] FILES = {
    "check FILE",
    "serve --config FILE",
    "replay FILE",
    "advise FILE",
    "hot --token-file FILE",
    "top --token-file FILE",
    "stats --token-file FILE",
    "savings --token-file FILE",
    "explain key --token-file FILE",
    "health --token-file FILE",
    "limit -domain d -descriptors a=b -grpc-use-tls -grpc-server-ca-file FILE",
  };

  /** Every command that asks a server; URL stands for its address. */
  private static final String[] URLS = {
    "hot --url URL",
    "top --url URL",
    "stats --url URL",
    "savings --url URL",
    "explain key --url URL",
    "health --url URL",
  };

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  static Stream<String> files() {
    return Arrays.stream(FILES);
  }

  static Stream<String> urls() {
    return Arrays.stream(URLS);
  }

  @ParameterizedTest
  @MethodSource("files")
  void run_missingFile_cannotRunAndNamesIt(String line) {
    Path file = folder.resolve("nofile");

    Invocation invocation = run(line, "FILE", file.toString());

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(invocation.err()).contains(file + ": no such file").hasLineCount(1);
    assertThat(invocation.out()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("files")
  void run_folderInsteadOfAFile_cannotRunAndNamesIt(String line) {
    Invocation invocation = run(line, "FILE", folder.toString());

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.CANNOT_RUN);
    // check takes a folder of files, of which this one has none.
    assertThat(invocation.err())
        .containsAnyOf(folder + ": is a folder, not a file", folder + ": contains no .yaml")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @MethodSource("urls")
  void run_invalidAddress_isWrongUsage(String line) {
    for (String url :
        new String[] {"foo", "127.0.0.1:8080", "ftp://host", "http://", "http://a b"}) {
      Invocation invocation = run(line, "URL", url);

      assertThat(invocation.code()).as(url).isEqualTo(ExitCode.WRONG_USAGE);
      assertThat(invocation.err()).contains("--url must be like http://127.0.0.1:8080: '" + url);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void run_closedPort_cannotReachItWithTheReason(String line) {
    Invocation invocation = run(line, "URL", "http://127.0.0.1:1");

    assertThat(invocation.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(invocation.err())
        .isEqualToNormalizingNewlines(
            "heatshield: cannot reach http://127.0.0.1:1: connection refused\n");
  }

  @ParameterizedTest
  @MethodSource("urls")
  void run_unknownHost_cannotReachItWithTheReason(String line) {
    Invocation invocation = run(line, "URL", "http://nosuch.invalid:8080");

    assertThat(invocation.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(invocation.err()).contains("http://nosuch.invalid:8080: host not found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "foo:", "foo:99999", "http://foo:1", ""})
  void limit_invalidAddress_isWrongUsage(String address) {
    Invocation invocation =
        Invocation.of("limit", "-domain=d", "-descriptors=a=b", "-dial_string=" + address);

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(invocation.err()).contains("-dial_string must be host:port: '" + address + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1 connection refused", "nosuch.invalid:1 host not found"})
  void limit_unreachableServer_reportsTheReason(String addressAndReason) {
    String[] words = addressAndReason.split(" ", 2);

    Invocation invocation =
        Invocation.of("limit", "-domain=d", "-descriptors=a=b", "-dial_string=" + words[0]);

    assertThat(invocation.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(invocation.err())
        .isEqualToNormalizingNewlines(
            "heatshield: cannot reach " + words[0] + ": " + words[1] + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay TRACE --html OUT", "advise TRACE --output OUT"})
  void run_unwritableFile_cannotRunWithTheReason(String line) throws IOException {
    Path trace = Files.writeString(folder.resolve("trace"), "a\na\na\nb\n".repeat(100));
    String out = folder.resolve("none/out").toString();

    Invocation invocation = run(line.replace("TRACE", trace.toString()), "OUT", out);

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(invocation.err()).contains(out + ": cannot be written: no such folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay", "advise"})
  void run_fileThatIsNotATrace_failsAndListsTheFormats(String command) throws IOException {
    Path prose = Files.writeString(folder.resolve("prose"), "This is\na short text.\n");
    Path empty = Files.writeString(folder.resolve("empty"), "\n\n");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {0x7f, 'E', 'L', 'F', 0, 1});

    Invocation ofProse = Invocation.of(command, prose.toString());
    Invocation ofEmpty = Invocation.of(command, empty.toString());
    Invocation ofBinary = Invocation.of(command, binary.toString());
    Invocation asMonitor = Invocation.of(command, prose.toString(), "--format=monitor");

    for (Invocation invocation : new Invocation[] {ofProse, ofEmpty, ofBinary, asMonitor}) {
      assertThat(invocation.code()).as(invocation.out()).isEqualTo(ExitCode.CANNOT_RUN);
      assertThat(invocation.err())
          .contains("keys (one key per line)", "Set the format with --format");
      assertThat(invocation.out()).isEmpty();
    }
    assertThat(ofProse.err()).contains(prose + " is not a trace: line 1, 'This is'");
    assertThat(ofEmpty.err()).contains(empty + " is not a trace: it has no lines");
    assertThat(ofBinary.err()).contains("line 1, '\\x7fELF\\x00\\x01'");
    assertThat(asMonitor.err()).contains("'This is', does not match the format monitor");
    assertThat(Invocation.of("replay", prose.toString(), "--format=keys").code()).isZero();
  }

  private static Invocation run(String line, String place, String value) {
    return Invocation.of(
        Arrays.stream(line.split(" "))
            .map(word -> word.equals(place) ? value : word)
            .toArray(String[]::new));
  }
}
