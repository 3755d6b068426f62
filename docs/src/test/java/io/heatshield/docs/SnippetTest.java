package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the tests of documents fail for each kind of wrong block. */
class SnippetTest {
  private static final Path PAGE = Path.of("page.md");

  @Test
  void in_pageWithBlocks_findsThemWithPlaceAndMarks() {
    List<String> page =
        List.of("# Title", "```sh serves", "./run", "```", "text", "  ```java", "f();", "  ```");

    List<Snippet> snippets = Snippet.in(PAGE, page);

    assertThat(snippets)
        .containsExactly(
            new Snippet(PAGE, 2, "sh", List.of("serves"), "./run\n"),
            new Snippet(PAGE, 6, "java", List.of(), "f();\n"));
  }

  @Test
  void in_blockThatNeverEnds_isRefused() {
    assertThatThrownBy(() -> Snippet.in(PAGE, List.of("", "```sh", "ls")))
        .hasMessage("page.md:2: the block never ends");
  }

  @ParameterizedTest
  @CsvSource({
    "perl, '', print 1, cannot be checked",
    "'', '', print 1, cannot be checked",
    "sh, '', false, exit code 1 and not 0",
    "sh, '', false; true, exit code 1 and not 0",
    "sh, exit-3, true, exit code 0 and not 3",
    "sh, sometimes, true, has an unknown mark: sometimes",
    "sh, by-hand, rm -rf target, does not list its commands",
    "sh, serves, echo done, ended by itself",
    "java, '', int i = \"text\";, does not compile",
    "java, '', throw new IllegalStateException(\"no\");, threw",
    "java, '', new java.util.Date(2020 - 1900, 0, 1).toString();, does not compile",
    "java, later, f();, has an unknown mark",
    "yaml, '', detekt: {}, detect",
    "yaml, '', detect: { window: 60 }, detect.window",
    "yaml, later, detect: {}, has an unknown mark",
  })
  void check_wrongBlock_fails(String language, String mark, String text, String reason) {
    List<String> marks = mark.isEmpty() ? List.of() : List.of(mark);
    var snippet = new Snippet(PAGE, 7, language, marks, text + "\n");

    assertThatThrownBy(() -> ReadmeIT.check(snippet))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("page.md:7: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "sh, '', test -f README.md",
    "sh, exit-3, exit 3",
    "sh, by-hand, mvn -B -ntp verify",
    "sh, serves, yes http://127.0.0.1:1",
    "java, '', io.heatshield.key.KeyText.of(\"a\");",
    "java, '', class A { public static void main(String[] args) {} }",
    "java, '', record B(int b) {}",
    "yaml, '', detect: { window: 30s }",
    "text, '', +--+",
  })
  void check_rightBlock_passes(String language, String mark, String text) {
    List<String> marks = mark.isEmpty() ? List.of() : List.of(mark);
    var snippet = new Snippet(PAGE, 7, language, marks, text + "\n");

    assertThatCode(() -> ReadmeIT.check(snippet)).doesNotThrowAnyException();
  }
}
