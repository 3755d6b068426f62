package io.heatshield.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressReporterTest {

  @Test
  void update_withoutTerminal_printsALineEveryFiveSeconds() {
    var err = new StringWriter();
    var ticker = new FakeTicker();
    try (var progress =
        new ProgressReporter("replay", new PrintWriter(err, true), false, ticker::nanos)) {
      progress.update(1, 100, 1_000);
      ticker.advance(Duration.ofSeconds(5));
      progress.update(25, 100, 50_000);
      progress.update(26, 100, 51_000);
      ticker.advance(Duration.ofSeconds(5));
      progress.update(50, 0, 100_000);
    }

    assertThat(err.toString().lines())
        .containsExactly(
            "heatshield: replay: 25 %, 15 s left, 10,000 requests/s",
            "heatshield: replay: 10,000 requests/s");
  }

  @Test
  void write_fileThatIsThere_isReplacedWithoutTemporaryFile(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "old");

    AtomicFile.write(file, "new");

    assertThat(file).hasContent("new");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }
}
