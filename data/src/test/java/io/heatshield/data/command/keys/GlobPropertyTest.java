package io.heatshield.data.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GlobPropertyTest {

  @Property
  void matches_starsQuestionMarksAndClasses_areThoseOfARegularExpression(
      @ForAll("patterns") String pattern, @ForAll("texts") String text) {
    String regex = pattern.replace("*", ".*").replace("?", ".").replaceAll("\\[\\^?\\]", "(?!)");

    assertThat(matches(pattern, text)).isEqualTo(Pattern.matches(regex, text));
  }

  @Example
  void matches_manyStarsAgainstALongText_endsAtOnce() {
    assertThat(matches("*a".repeat(200) + "b", "a".repeat(60_000))).isFalse();
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.of("a", "b", "*", "?", "[ab]", "[^a]", "[a-b]")
        .list()
        .ofMaxSize(8)
        .map(parts -> String.join("", parts));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('a', 'b', 'c').ofMaxLength(10);
  }

  private static boolean matches(String pattern, String text) {
    return Glob.matches(
        pattern.getBytes(StandardCharsets.US_ASCII), text.getBytes(StandardCharsets.US_ASCII));
  }
}
