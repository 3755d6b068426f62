package io.heatshield.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.config.LogSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoggingTest {
  private static final String FORGED = "GET /\u001b[31m\r\n{\"level\":\"ERROR\"}";

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void capture() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    Logging.apply(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.JSON));
  }

  @AfterEach
  void release() {
    System.setErr(before);
    Logging.apply(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.AUTO));
  }

  @Test
  void start_recordOfJavaUtilLogging_isOneEscapedLineOfThisLog() {
    var cause = new IllegalStateException(FORGED, new RuntimeException(FORGED));

    Logger.getLogger("test.library").log(Level.WARNING, "failed: " + FORGED, cause);

    assertThat(text().lines()).hasSize(1);
    assertThat(text())
        .startsWith("{\"time\":\"")
        .contains("\"level\":\"WARN\",\"logger\":\"test.library\"")
        .doesNotContain("\u001b");
  }

  @Test
  void start_recordWithParameters_isFormattedOnce() {
    Logger.getLogger("test.library").log(Level.SEVERE, "{0} of {1}", new Object[] {"{}", "two"});

    assertThat(text()).contains("\"level\":\"ERROR\"").contains("\"message\":\"{} of two\"");
  }

  @Test
  void apply_anotherLevel_holdsForJavaUtilLogging() {
    Logger library = Logger.getLogger("test.library");

    library.fine("unseen");
    Logging.apply(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
    library.fine("seen");

    assertThat(text()).contains("\"message\":\"seen\"").doesNotContain("unseen");
  }

  @Test
  void start_exceptionThatNoThreadCatches_isLogged() throws InterruptedException {
    var thread =
        new Thread(
            () -> {
              throw new IllegalStateException(FORGED);
            },
            "worker");

    thread.start();
    thread.join();

    assertThat(text().lines()).hasSize(1);
    assertThat(text()).contains("thread worker ended by an uncaught exception").contains("\\u001b");
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }
}
