package io.heatshield.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonReaderTest {

  @Test
  void read_everyKindOfValue_givesPlainValues() {
    Object value =
        read(
            " {\"a\": [1, -2.5e1, \"x\\u0041\\n\\\"\", true, false, null], \"b\": {}, \"c\": []} ");

    assertThat(value)
        .isEqualTo(
            Map.of(
                "a",
                Arrays.asList(
                    new BigDecimal(1), new BigDecimal("-2.5e1"), "xA\n\"", true, false, null),
                "b",
                Map.of(),
                "c",
                List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      value = {
        "''~a value is missing",
        "{~a name in quotes is missing",
        "{a: 1}~a name in quotes is missing",
        "{\"a\": 1, \"a\": 2}~the name a is duplicated",
        "{\"a\": 1,}~a name in quotes is missing",
        "[1,]~not a JSON value",
        "[1 2]~a ] is missing",
        "{\"a\" 1}~a : is missing",
        "NaN~not a JSON value",
        "Infinity~not a JSON value",
        "nul~not a JSON value",
        "01~not a JSON value",
        "+1~not a JSON value",
        ".5~not a JSON value",
        "1e9999999999~not a JSON value",
        "1 1~nothing may follow",
        "\"abc~closing quote",
        "\"\\x\"~unknown escape",
        "\"\\u12g4\"~four hexadecimal digits",
        "\"\\ud800\"~unpaired surrogate",
        "\"\\udc00\\ud800\"~unpaired surrogate",
      })
  void read_brokenText_failsWithReasonAndPosition(String text, String sentence) {
    String body = text.equals("''") ? "" : text;

    assertThatThrownBy(() -> read(body))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining(sentence)
        .hasMessageContaining("at character");
  }

  @Test
  void read_nestedTenThousandDeep_isRefusedWithoutRecursion() {
    assertThatThrownBy(() -> read("[".repeat(10_000)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("nested deeper than 32");
  }

  @Test
  void read_longNumber_isRefused() {
    assertThatThrownBy(() -> read("1".repeat(65)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("not a JSON value");
    assertThat(read("1".repeat(64))).isEqualTo(new BigDecimal("1".repeat(64)));
  }

  @Test
  void read_bytesThatAreNotUtf8_areRefused() {
    assertThatThrownBy(() -> JsonReader.read(new byte[] {'"', (byte) 0xc3, '"'}))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessage("the body must be UTF-8");
  }

  @Test
  void read_controlCharacterInText_isRefused() {
    assertThatThrownBy(() -> read("\"a\nb\""))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("control character");
  }

  private static @Nullable Object read(String text) {
    return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
