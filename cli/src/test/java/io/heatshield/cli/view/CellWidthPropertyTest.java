package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CellWidthPropertyTest {

  @Property
  void shortenAndCut_anyText_neverTakeMoreColumns(
      @ForAll String text, @ForAll @IntRange(min = 0, max = 50) int columns) {
    assertThat(CellWidth.of(CellWidth.shorten(text, columns))).isLessThanOrEqualTo(columns);
    assertThat(CellWidth.of(CellWidth.cut(text, columns))).isLessThanOrEqualTo(columns);
  }

  @Property
  void wrap_anyText_isNeverWiderAndKeepsEverythingButSpaces(
      @ForAll String text, @ForAll @IntRange(min = 2, max = 50) int columns) {
    List<String> lines = CellWidth.wrap(text, columns);

    assertThat(lines).allMatch(line -> CellWidth.of(line) <= columns);
    assertThat(withoutSpaces(String.join("", lines))).isEqualTo(withoutSpaces(text));
  }

  private static String withoutSpaces(String text) {
    return text.codePoints()
        .filter(c -> !Character.isWhitespace(c))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
