package io.heatshield.testkit.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

class TracesTest {

  @Test
  void openExtract_wholeExtract_hasAllKeys() throws IOException {
    Set<String> keys = new HashSet<>();

    try (TraceReader extract = Traces.openExtract()) {
      for (byte[] key = extract.next(); key != null; key = extract.next()) {
        keys.add(new String(key, US_ASCII));
      }

      assertThat(extract.lines()).isEqualTo(20_000);
      assertThat(keys).hasSize(9948).allMatch(key -> key.matches("k:\\d{20}"));
    }
  }

  @Test
  void openExtract_comparedWithTheWholeTrace_isItsBeginning() throws IOException {
    try (TraceReader whole = Traces.openOrSkip("web07.keys.xz");
        TraceReader extract = Traces.openExtract()) {
      for (byte[] key = extract.next(); key != null; key = extract.next()) {
        assertThat(whole.next()).isEqualTo(key);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"web07.keys.gz, 76118", "web07.keys.xz, 76118", "orm-busy.keys.xz, 5000000"})
  void openOrSkip_wholeTrace_hasAsManyLinesAsItsReadmeSays(String file, long lines)
      throws IOException {
    try (TraceReader trace = Traces.openOrSkip(file)) {
      while (trace.next() != null) {}

      assertThat(trace.lines()).isEqualTo(lines);
    }
  }

  @Test
  void openOrSkip_noFolder_skipsAndNamesTheSearchedFolder(@TempDir Path place) {
    Path root = place.resolve("checkout");
    Path folder = root.resolve("../shared/traces").normalize();

    assertThatThrownBy(() -> Traces.openOrSkip(null, root.toString(), "web07.keys.xz").close())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("there is no trace web07.keys.xz in " + folder);
    assertThatThrownBy(() -> Traces.openOrSkip(null, null, "web07.keys.xz").close())
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("neither house.traces nor house.root is set");
  }

  @Test
  void find_nextToTheCheckoutOrInAGivenFolder_findsTheFile(@TempDir Path place) throws IOException {
    Path root = Files.createDirectories(place.resolve("checkout"));
    Path folder = Files.createDirectories(place.resolve("shared/traces"));
    Path file = folder.resolve("a.keys");
    Files.writeString(file, "k\n");

    assertThat(Traces.find(null, root.toString(), "a.keys")).contains(file);
    assertThat(Traces.find(folder.toString(), null, "a.keys")).contains(file);
    assertThat(Traces.find(null, root.toString(), "b.keys")).isEmpty();
  }
}
