package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  private static final List<String> COMMANDS = List.of("serve", "check", "demo", "completion");

  @ParameterizedTest
  @CsvSource({
    "sreve, serve",
    "server, serve",
    "chekc, check",
    "dmeo, demo",
    "compltion, completion",
    "cehckk, check",
  })
  void nearest_mistyped_isWhatWasMeant(String word, String meant) {
    assertThat(Names.nearest(word, COMMANDS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"''", "x", "limit", "sv"})
  void nearest_farFromAll_isEmpty(String word) {
    assertThat(Names.nearest(word, COMMANDS)).isEmpty();
  }

  @Test
  void nearest_hugeWord_isEmptyWithoutWork() {
    assertThat(Names.nearest("serve".repeat(1_000_000), COMMANDS)).isEmpty();
  }

  @Test
  void nearest_twoEquallyNear_isTheFirstByName() {
    assertThat(Names.nearest("bat", List.of("cat", "bar"))).contains("bar");
  }
}
