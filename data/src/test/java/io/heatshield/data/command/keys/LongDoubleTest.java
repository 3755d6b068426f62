package io.heatshield.data.command.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LongDoubleTest {

  @ParameterizedTest
  @CsvSource({
    "0,0.1,0.1",
    "10.5,0.1,10.6",
    "5.0e3,2.0e2,5200",
    "3,1.0e20,100000000000000000000",
    "1,-1,0",
    "0,-0.0,0",
    "0,0x1p3,8",
    "0,.5,0.5",
    "0,5.,5",
    "1e-17,0,0.00000000000000001",
    "1e-20,0,0"
  })
  void sum_ofTwoTexts_isThatOfRedis(String a, String b, String sum) {
    assertThat(sum(a, b)).isEqualTo(sum);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 1",
        "1 ",
        "1e",
        "abc",
        "nan",
        "1e5000",
        "1e999999999",
        "0x",
        "--1",
        "1e-6000"
      })
  void sum_ofNoNumber_isRefused(String text) {
    assertThatThrownBy(() -> sum("0", text)).hasMessage("ERR value is not a valid float");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "-inf", "Infinity"})
  void sum_ofInfinity_isRefused(String text) {
    assertThatThrownBy(() -> sum("0", text))
        .hasMessage("ERR increment would produce NaN or Infinity");
  }

  private static String sum(String a, String b) {
    byte[] sum =
        LongDouble.sum(
            a.getBytes(StandardCharsets.ISO_8859_1), b.getBytes(StandardCharsets.ISO_8859_1));
    return new String(sum, StandardCharsets.US_ASCII);
  }
}
