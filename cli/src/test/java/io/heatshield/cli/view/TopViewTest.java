package io.heatshield.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopViewTest {
  private static final Terminal.Size USUAL = new Terminal.Size(24, 80);

  private final TopView view = new TopView(HotTable.Sort.RATE, "");

  @ParameterizedTest
  @CsvSource({"24, 80", "40, 120", "15, 60", "5, 30", "1, 1"})
  void table_onAnyScreen_fitsIt(int lines, int columns) {
    List<String> page = view.table(answer(100), new Terminal.Size(lines, columns));

    assertThat(page).hasSizeLessThanOrEqualTo(Math.max(4, lines));
    assertThat(page.subList(2, page.size()))
        .allMatch(line -> CellWidth.of(line) <= Math.max(4, columns));
  }

  @Test
  void table_80ColumnsWide_hasWholeNumbersAndAShortenedKey() {
    List<String> page = view.table(answer(100), USUAL);

    assertThat(page.get(0)).contains("100 keys are hot.  by rate  1-21 of 100");
    assertThat(page.get(2)).contains("key", "scope", "state", "rate/s", "share", "hot for");
    assertThat(page.get(3)).startsWith("1  user:profile…").contains("number:0  main ", "1,000,100");
  }

  @Test
  void press_keysThatScroll_moveThroughAllRowsAndNoFurther() {
    view.table(answer(100), USUAL);

    assertThat(after(TerminalKey.DOWN, 'j')).contains("3-23 of 100");
    assertThat(after(TerminalKey.UP)).contains("2-22 of 100");
    assertThat(after(TerminalKey.PAGE_DOWN)).contains("23-43 of 100");
    assertThat(after(TerminalKey.END)).contains("80-100 of 100");
    assertThat(after(TerminalKey.DOWN, TerminalKey.PAGE_DOWN)).contains("80-100 of 100");
    assertThat(after(TerminalKey.PAGE_UP, 'k')).contains("58-78 of 100");
    assertThat(after(TerminalKey.HOME)).contains("1-21 of 100");
    assertThat(after(TerminalKey.UP, TerminalKey.PAGE_UP)).contains("1-21 of 100");
  }

  @Test
  void press_digitAfterScrolling_explainsTheRowWithThatNumber() {
    view.table(answer(100), USUAL);
    after(TerminalKey.DOWN);

    view.press('1');

    assertThat(view.explained()).isNotNull();
    assertThat(view.explained().key().text("rate")).isEqualTo("1000099");
  }

  @Test
  void explanation_longerThanTheScreen_scrolls() {
    view.table(answer(3), USUAL);
    view.press('1');
    List<String> lines = IntStream.range(0, 40).mapToObj(i -> "fact " + i).toList();
    var small = new Terminal.Size(12, 40);

    assertThat(view.explanation(lines, small)).hasSize(12).contains("fact 0", "fact 9");
    view.press(TerminalKey.END);
    assertThat(view.explanation(lines, small)).contains("fact 39").doesNotContain("fact 0");
    view.press(TerminalKey.ESCAPE);
    assertThat(view.explained()).isNull();
  }

  @Test
  void press_typing_filtersAndDoesNotEnd() {
    view.table(answer(100), USUAL);
    view.press('/');

    assertThat(view.isQuit('q')).isFalse();
    assertThat(after('n', 'o')).contains(", /no").doesNotContain(" of 100");
    view.press(TerminalKey.ESCAPE);
    assertThat(view.isQuit('q')).isTrue();
    assertThat(view.table(answer(100), USUAL).get(0)).contains("1-21 of 100");
  }

  private String after(int... keys) {
    for (int key : keys) {
      view.press(key);
      view.table(answer(100), USUAL);
    }
    return view.table(answer(100), USUAL).get(0);
  }

  private static JsonObject answer(int count) {
    List<Map<String, Object>> keys =
        IntStream.range(0, count)
            .<Map<String, Object>>mapToObj(
                i ->
                    Map.of(
                        "key", "user:profile:with:a:long:name:and:number:" + i,
                        "state", "hot",
                        "rate", BigDecimal.valueOf(1_000_100 - i),
                        "share", BigDecimal.valueOf(0.01),
                        "estimate", BigDecimal.valueOf(60_000_000L - i),
                        "error", BigDecimal.valueOf(12_345)))
            .toList();
    return new JsonObject(
        Map.of(
            "scopes",
            List.of(Map.of("scope", "main", "hot", BigDecimal.valueOf(count), "keys", keys))));
  }
}
