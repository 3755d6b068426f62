package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.server.WholeServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The API against its own description: schemathesis, where it is installed, sends what the document
 * allows and what it forbids, and compares statuses, content types and bodies.
 */
@Timeout(300)
class SchemathesisIT {
  private static final Path CONFIG = Path.of("src", "test", "resources", "schemathesis.toml");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void api_bySchemathesis_isAsDescribed() throws Exception {
    Optional<List<String>> schemathesis = schemathesis();
    assumeTrue(schemathesis.isPresent(), "there is no schemathesis on this machine");

    try (var whole = WholeServer.start(folder)) {
      var command = new ArrayList<>(schemathesis.orElseThrow());
      command.addAll(
          List.of(
              "--config-file",
              CONFIG.toAbsolutePath().toString(),
              "run",
              whole.at("/api/v1/openapi.json").toString(),
              "--header",
              "Authorization: Bearer " + WholeServer.TOKEN,
              // A stream does not end; EventStreamTest has it.
              "--exclude-path",
              "/api/v1/events",
              "--max-examples",
              "20",
              "--seed",
              "29",
              "--no-color"));
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String said = shortLines(process);

      assertThat(process.waitFor()).as(said).isZero();
      assertThat(said).contains("Tested: ");
    }
  }

  private static Optional<List<String>> schemathesis() {
    return Stream.of(
            List.of("schemathesis"), List.of("st"), List.of("python3", "-m", "schemathesis.cli"))
        .filter(SchemathesisIT::isThere)
        .findFirst();
  }

  private static boolean isThere(List<String> command) {
    try {
      var asked = new ArrayList<>(command);
      asked.add("--version");
      Process process = new ProcessBuilder(asked).redirectErrorStream(true).start();
      return shortLines(process).contains("version 4");
    } catch (IOException e) {
      return false;
    }
  }

  /** A failure repeats the request, which may take hundreds of kilobytes in one line. */
  private static String shortLines(Process process) throws IOException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var text = new StringBuilder();
    said.lines()
        .forEach(
            line ->
                text.append(line, 0, Math.min(line.length(), 500)).append(System.lineSeparator()));
    return text.toString();
  }
}
