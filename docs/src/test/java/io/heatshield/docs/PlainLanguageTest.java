package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the main sources to plain technical English. {@code plain-language.properties} says how
 * many findings a module may still have; a module that is not listed has none.
 */
class PlainLanguageTest {

  @Test
  void everyModule_hasExactlyTheFindingsThatAreStillAllowed() throws IOException {
    var allowed = new Properties();
    try (InputStream in = getClass().getResourceAsStream("plain-language.properties")) {
      allowed.load(in);
    }
    var failures = new ArrayList<String>();

    for (String module : Modules.uses().keySet()) {
      List<String> found = findings(module);
      int most = Integer.parseInt(allowed.getProperty(module, "0"));
      if (found.size() > most) {
        failures.add(module + ": " + found.size() + " findings, allowed are " + most);
        failures.addAll(found);
      } else if (found.size() < most) {
        failures.add(
            "plain-language.properties: lower " + module + " from " + most + " to " + found.size());
      }
    }

    assertThat(failures).as(() -> String.join("\n", failures)).isEmpty();
  }

  @Test
  void in_phrasesClassNamesAndComments_areFoundWithTheirLines() {
    List<String> source =
        List.of(
            "/** Whether a key is hot. */",
            "private static final class Told {",
            "  /**",
            "   * How long it takes. What follows is not the first sentence.",
            "   */",
            "  // Nobody waits: at most so many bytes are handed on.",
            "  // " + "x".repeat(100),
            "  String text = \"" + "x".repeat(100) + "\";");

    assertThat(PlainLanguage.in(source))
        .extracting(PlainLanguage.Finding::line, finding -> finding.found().substring(0, 4))
        .containsExactlyInAnyOrder(
            tuple(1, "Whet"),
            tuple(2, "Told"),
            tuple(4, "How "),
            tuple(6, "Nobo"),
            tuple(6, "so m"),
            tuple(6, "hand"),
            tuple(7, "// x"));
  }

  @Test
  void in_plainSource_findsNothing() {
    List<String> source =
        List.of(
            "/** Returns whether the key is hot. What it costs is in the design block. */",
            "record Verdict(boolean hot) {}",
            "// None of the candidates is evicted while the batch is pending.");

    assertThat(PlainLanguage.in(source)).isEmpty();
  }

  private static List<String> findings(String module) throws IOException {
    Path sources = Tree.ROOT.resolve(module).resolve("src/main/java");
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .flatMap(PlainLanguageTest::findings)
          .toList();
    }
  }

  private static Stream<String> findings(Path file) {
    try {
      Path shown = Tree.ROOT.relativize(file);
      return PlainLanguage.in(Files.readAllLines(file)).stream().map(f -> shown + ":" + f);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
