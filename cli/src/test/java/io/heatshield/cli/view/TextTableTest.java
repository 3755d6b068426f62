package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void lines_withoutALimit_areAsWideAsTheirCells() {
    assertThat(table().lines())
        .containsExactly(
            "key                      scope     rate",
            "user:a:very:long:key:42  main       100",
            "x                        other  123,456");
  }

  @Test
  void lines_tooWide_omitColumnsInTheGivenOrderThenShortenTheFirst() {
    assertThat(table().lines(37, "scope"))
        .containsExactly(
            "key                    scope     rate",
            "user:a:ver…ong:key:42  main       100",
            "x                      other  123,456");
    assertThat(table().lines(25, "scope"))
        .containsExactly(
            "key                  rate", "user:a:v…:key:42      100", "x                 123,456");
  }

  @Test
  void lines_ofAnyWidth_areNoWider() {
    for (int width = 1; width < 50; width++) {
      int most = width;
      assertThat(table().lines(width, "scope"))
          .allMatch(line -> CellWidth.of(line) <= most, "at most " + width);
    }
  }

  private static TextTable table() {
    var table = new TextTable("key", "scope", ">rate");
    table.row("user:a:very:long:key:42", "main", "100");
    table.row("x", "other", "123,456");
    return table;
  }
}
