package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that sources, the page and the documents are in plain technical English. */
class PlainLanguageTest {
  /** The gate itself, whose lists name the phrases. */
  private static final List<String> OWN =
      List.of("PlainLanguage.java", "PlainLanguageTest.java");

  @Test
  void sources_mainAndTest_haveNoFinding() throws IOException {
    Stream<String> findings =
        Modules.uses().keySet().stream()
            .flatMap(module -> Stream.of("src/main/java", "src/test/java").map(sources -> module + "/" + sources))
            .flatMap(folder -> findings(folder, ".java", PlainLanguage::inJava));

    assertNone(findings);
  }

  @Test
  void texts_pageAndDocuments_haveNoFinding() {
    Stream<String> findings =
        Stream.of(
                findings("web/src/main/resources", ".js", PlainLanguage::inText),
                findings("web/src/main/resources", ".html", PlainLanguage::inText),
                findings("docs/guide", ".md", PlainLanguage::inText),
                findings("docs/adr", ".md", PlainLanguage::inText),
                findings("bench", ".md", PlainLanguage::inText),
                findings("README.md", ".md", PlainLanguage::inText),
                findings("CHANGELOG.md", ".md", PlainLanguage::inText),
                findings("CONTRIBUTING.md", ".md", PlainLanguage::inText))
            .flatMap(Function.identity());

    assertNone(findings);
  }

  @Test
  void inJava_phrasesNamesAndComments_areFoundWithTheirLines() {
    List<String> source =
        List.of(
            "/** Whether a key is hot. */",
            "private static final class Told {",
            "  /**",
            "   * How long it takes. What follows is not the first sentence.",
            "   */",
            "  // Nobody waits: at most so many bytes are handed on.",
            "  // " + "x".repeat(100),
            "  void add_afterTheWindow_continues() {",
            "  void add_afterTheWindow_isTold() {",
            "  String text = \"" + "x".repeat(100) + "\";");

    assertThat(PlainLanguage.inJava(source))
        .extracting(PlainLanguage.Finding::line, finding -> finding.found().substring(0, 4))
        .containsExactlyInAnyOrder(
            tuple(1, "Whet"),
            tuple(2, "Told"),
            tuple(4, "How "),
            tuple(6, "Nobo"),
            tuple(6, "so m"),
            tuple(6, "hand"),
            tuple(7, "// x"),
            tuple(9, "add_"));
  }

  @Test
  void inJava_plainSource_findsNothing() {
    List<String> source =
        List.of(
            "/** Returns whether the key is hot. What it costs is in the design block. */",
            "record Verdict(boolean hot) {}",
            "// None of the candidates is evicted while the batch is pending.",
            "var request = builder.method(\"DELETE\", BodyPublishers.noBody());");

    assertThat(PlainLanguage.inJava(source)).isEmpty();
  }

  @Test
  void inText_phrases_areFoundWithTheirLines() {
    List<String> text = List.of("# Reading", "What a read costs.", "The read goes on.");

    assertThat(PlainLanguage.inText(text)).extracting(Object::toString).hasSize(1).first()
        .isEqualTo("3: 'goes on': 'continues'");
  }

  private static void assertNone(Stream<String> findings) {
    List<String> all = findings.toList();
    assertThat(all).as(() -> String.join("\n", all)).isEmpty();
  }

  private static Stream<String> findings(
      String path, String suffix, Function<List<String>, List<PlainLanguage.Finding>> check) {
    Path start = Tree.ROOT.resolve(path);
    if (!Files.exists(start)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.walk(start)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .filter(file -> !OWN.contains(file.getFileName().toString()))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .flatMap(file -> findings(file, check))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> findings(
      Path file, Function<List<String>, List<PlainLanguage.Finding>> check) {
    try {
      Path shown = Tree.ROOT.relativize(file);
      return check.apply(Files.readAllLines(file)).stream().map(f -> shown + ":" + f);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
