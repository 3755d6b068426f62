package io.heatshield.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.heatshield.config.settings.LogSettings.Format;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogLineTest {
  private static final String FORGED = "a\r\n09:00 ERROR forged \u001b[2J \u202eevil\u2028 \u0000";

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"TEXT", "JSON"})
  void doLayout_hostileMessage_staysOneVisibleLine(Format format) {
    String line = line(format, FORGED, null);

    assertThat(line).endsWith("\n");
    assertThat(line.strip().codePoints())
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT)
        .noneMatch(c -> c == 0x2028);
  }

  @Test
  void doLayout_plain_showsTimeLevelAndMessage() {
    String line = line(Format.TEXT, "listening on 127.0.0.1:8080", null);

    assertThat(line)
        .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  listening on 127\\.0\\.0\\.1:8080\n");
  }

  @Test
  void doLayout_json_escapesQuotesAndNamesTheError() {
    var error = new IllegalStateException("say \"no\"\n", new RuntimeException("deeper"));

    String line = line(Format.JSON, "tab\there \"quoted\" \\", error);

    assertThat(line)
        .contains("\"message\":\"tab\\\\u0009here \\\"quoted\\\" \\\\\"")
        .contains("\"logger\":\"server.test\"")
        .contains("\"error\":\"java.lang.IllegalStateException: say \\\"no\\\"\\\\u000a\"")
        .contains("\"cause\":\"java.lang.RuntimeException: deeper\"");
    assertThat(line.strip().lines()).hasSize(1);
  }

  @Test
  void doLayout_hugeMessage_isCut() {
    String line = line(Format.TEXT, "x".repeat(1_000_000), null);

    assertThat(line.length()).isLessThan(17_000);
    assertThat(line).endsWith("... (1000000 characters)\n");
  }

  @Test
  void doLayout_plainWithError_indentsTheStack() {
    String line = line(Format.TEXT, "failed", new IllegalStateException("why\nforged"));

    assertThat(line)
        .contains("\n    java.lang.IllegalStateException: why\\u000aforged\n        at ");
  }

  private static String line(Format format, String message, @Nullable Throwable error) {
    var logger = new LoggerContext().getLogger("io.heatshield.server.test");
    var layout = new LogLine(format);
    return layout.doLayout(
        new LoggingEvent(LogLineTest.class.getName(), logger, Level.WARN, message, error, null));
  }
}
