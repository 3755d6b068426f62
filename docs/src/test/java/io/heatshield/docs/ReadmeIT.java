package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs every command and snippet of README.md and the guide.
 *
 * <p>The commands use the launcher of this checkout, which builds itself first as for a new user.
 */
@Tag("thorough")
class ReadmeIT {

  @BeforeAll
  static void buildAsANewUserWould() throws IOException, InterruptedException {
    ShellSnippet.check(
        new Snippet(Path.of("ReadmeIT"), 0, "sh", List.of(), "./heatshield --rebuild\n"));
  }

  @TestFactory
  Stream<DynamicTest> everySnippet_run_doesWhatTheDocumentSays() {
    return Snippet.ofTheDocuments().stream()
        .map(
            snippet ->
                DynamicTest.dynamicTest(
                    snippet.title(), snippet.file().toUri(), () -> check(snippet)));
  }

  @Test
  void readme_read_showsCommandsJavaAndConfiguration() {
    assertThat(Snippet.ofTheDocuments())
        .extracting(Snippet::language)
        .contains("sh", "java", "yaml");
  }

  static void check(Snippet snippet) throws Exception {
    switch (snippet.language()) {
      case "sh" -> ShellSnippet.check(snippet);
      case "java" -> JavaSnippet.check(snippet);
      case "yaml" -> YamlSnippet.check(snippet);
      case "text" -> {
        // A diagram: nothing to run.
      }
      default -> throw snippet.fault("a block of '" + snippet.language() + "' cannot be checked");
    }
  }
}
