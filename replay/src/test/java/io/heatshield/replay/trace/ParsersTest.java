package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.replay.trace.LineParser.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsersTest {
  private final Touch touch = new Touch();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1.5 [0 127.0.0.1:6] \"get\" \"user:1\"|user:1",
        "1.5 [0 lua] \"SET\" \"a\\\"b\\\\\\x41\\n\" \"v\"|~a\"b\\A\n~",
        "1.5 [0 [::1]:6] \"EVAL\" \"return 1\" \"1\" \"k\"|k",
        "1.5 [0 unix:/a] b] \"xread\" \"COUNT\" \"2\" \"STREAMS\" \"s1\" \"s2\" \"0\" \"0\"|s1",
        "1.5 [0 x] \"zunion\" \"2\" \"z1\" \"z2\"|z1",
        "1.5 [0 x] \"bitop\" \"AND\" \"dest\" \"src\"|dest",
        "1.5 [0 x] \"object\" \"freq\" \"key\"|key"
      })
  void monitor_commandWithKey_isItsFirstKeyDecoded(String line, String key) {
    Outcome outcome = parse(new MonitorLineParser(), line);

    assertThat(outcome).isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo(key);
    assertThat(touch.nanos).isEqualTo(1_500_000_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OK|NO_KEY",
        "1.5 [0 x] \"ping\"|NO_KEY",
        "1.5 [0 x] \"get\"|NO_KEY",
        "1.5 [0 x] \"eval\" \"return\" \"0\" \"arg\"|NO_KEY",
        "1.5 [0 x] \"xread\" \"count\"|NO_KEY",
        "1.5 [0 x] get|BAD",
        "1.5 [0 x] \"get\" \"open|BAD",
        "1.5 [0 x] \"get\" \"\\x4\"|BAD",
        "1.5 [0 x] \"get\"\"k\"|BAD",
        "x [0 x] \"get\" \"k\"|BAD",
        "1.5|BAD"
      })
  void monitor_otherLine_touchesNothing(String line, Outcome expected) {
    assertThat(parse(new MonitorLineParser(), line)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"PATH|/a/b", "URL|/a/b?q=1", "CLIENT|10.0.0.9"})
  void access_commonAndCombined_giveTheAskedPart(AccessKey part, String key) {
    String common =
        "10.0.0.9 - anna [10/Oct/2000:13:55:36 -0700] \"GET /a/b?q=1 HTTP/1.0\" 200 2326";

    assertThat(parse(new AccessLogParser(part), common)).isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo(key);
    assertThat(touch.nanos)
        .isEqualTo(nanos(OffsetDateTime.parse("2000-10-10T13:55:36-07:00").toInstant()));
    assertThat(parse(new AccessLogParser(part), common + " \"http://r/\" \"agent\""))
        .isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.9",
        "10.0.0.9 - - [10/Oct/2000:13:55:36 -0700]",
        "10.0.0.9 - - [10/Oct/2000:25:55:36 -0700] \"GET / HTTP/1.0\" 200 1",
        "10.0.0.9 - - [10/Foo/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 1",
        "10.0.0.9 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0 200 1",
        " - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 1"
      })
  void access_brokenLine_isBad(String line) {
    assertThat(parse(new AccessLogParser(AccessKey.PATH), line)).isEqualTo(Outcome.BAD);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"key\":\"a\",\"time\":1.5}|a|1500000000",
        "{ \"x\" : {\"key\":[\"}\"]} , \"time\" : 1500000000000 , \"key\" : \"b\" }|b|1500000000000000000",
        "{\"key\":\"\\u00e9\\ud83d\\ude00\\n\\\"\",\"time\":\"1970-01-01T00:00:02Z\"}|~é😀\n\"~|2000000000",
        "{\"key\":12,\"key\":13,\"time\":1.5}|12|1500000000"
      })
  void json_objectWithKey_isDecoded(String line, String key, long nanos) {
    Outcome outcome = parse(new JsonLineParser("key", "time", NumberUnit.AUTO), line);

    assertThat(outcome).isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo(key);
    assertThat(touch.nanos).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|NO_KEY",
        "{\"a\":1}|NO_KEY",
        "{\"key\":null}|NO_KEY",
        "{\"key\":[1]}|NO_KEY",
        "[]|BAD",
        "{\"key\"|BAD",
        "{\"a\":}|BAD",
        "{\"a\":[[[[|BAD",
        "{\"a\" 1}|BAD",
        "{\"a\":\"open|BAD",
        "{\"a\":1,}|BAD",
        "{\"a\":1;\"key\":2}|BAD",
        "x|BAD"
      })
  void json_otherLine_touchesNothing(String line, Outcome expected) {
    assertThat(parse(new JsonLineParser("key", "time", NumberUnit.AUTO), line)).isEqualTo(expected);
  }

  @Test
  void json_nestedAHundredThousandDeep_isSkippedWithoutRecursion() {
    String deep = "{\"a\":" + "[".repeat(20_000) + "]".repeat(20_000) + ",\"key\":\"k\"}";

    assertThat(parse(new JsonLineParser("key", "", NumberUnit.AUTO), deep))
        .isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo("k");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {"1.5,a,x|a", "1.5,~\"a,b\"\"c\"~,x|~a,b\"c~", "1.5,\"\",x|~~", "1.5,a|a"})
  void csv_fieldPlainOrQuoted_isDecoded(String line, String key) {
    String text = line.replace("~", "");

    assertThat(parse(new CsvLineParser((byte) ',', 1, 0, NumberUnit.AUTO), text))
        .isEqualTo(Outcome.TOUCH);
    assertThat(key()).isEqualTo(key);
    assertThat(touch.nanos).isEqualTo(1_500_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "1.5,\"open", "1.5,\"a\"b"})
  void csv_missingOrOpenField_isBad(String line) {
    assertThat(parse(new CsvLineParser((byte) ',', 1, 0, NumberUnit.AUTO), line))
        .isEqualTo(Outcome.BAD);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1000000000",
    "1600000000, 1600000000000000000",
    "1600000000123, 1600000000123000000",
    "1600000000123456, 1600000000123456000",
    "1600000000123456789, 1600000000123456789",
    "0.000000001, 1",
    "2020-09-13T12:26:40Z, 1600000000000000000",
    "2020-09-13 12:26:40.5, 1600000000500000000",
    "2020-09-13T14:26:40+02:00, 1600000000000000000",
    "2020-09-13T14:26:40+0200, 1600000000000000000"
  })
  void time_asTracesWriteIt_isNanoseconds(String text, long nanos) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(TimeText.parse(bytes, 0, bytes.length, NumberUnit.AUTO)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "1e5",
        "NaN",
        "1.x",
        ".5",
        "99999999999999999999",
        "9223372036854775807",
        "2020-13-13T12:26:40Z",
        "2020-09-13T12:26:40X",
        "2020-09-13X12:26:40Z",
        "9999-09-13T12:26:40Z"
      })
  void time_invalidText_isEmpty(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(TimeText.parse(bytes, 0, bytes.length, NumberUnit.AUTO)).isEqualTo(Touch.NO_TIME);
  }

  private Outcome parse(LineParser parser, String line) {
    byte[] bytes = ("#" + line + "#").getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, 1, bytes.length - 1, touch);
  }

  private String key() {
    return new String(touch.bytes, touch.from, touch.to - touch.from, StandardCharsets.UTF_8);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L;
  }
}
