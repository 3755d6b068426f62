package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellWidthTest {

  @ParameterizedTest
  @CsvSource({"abc, 3", "'', 0", "漢字, 4", "e\u0301, 1", "한글, 4", "…, 1", "😀, 2"})
  void of_aText_isItsColumns(String text, int columns) {
    assertThat(CellWidth.of(text)).isEqualTo(columns);
  }

  @ParameterizedTest
  @CsvSource({
    "user:42, 7, user:42",
    "user:profile:4711, 9, user…4711",
    "user:profile:4711, 2, us",
    "漢字漢字漢字, 6, 漢…字",
  })
  void shorten_toColumns_keepsBeginningAndEnd(String text, int columns, String expected) {
    assertThat(CellWidth.shorten(text, columns)).isEqualTo(expected);
  }

  @Test
  void wrap_longLine_breaksAtSpacesAndLosesNoWord() {
    assertThat(CellWidth.wrap("one two three four", 9)).containsExactly("one two", "three", "four");
    assertThat(CellWidth.wrap("unbreakable", 4)).containsExactly("unbr", "eaka", "ble");
    assertThat(CellWidth.wrap("short", 80)).containsExactly("short");
    assertThat(CellWidth.wrap("", 80)).containsExactly("");
  }
}
