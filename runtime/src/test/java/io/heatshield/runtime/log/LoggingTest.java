package io.heatshield.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.config.settings.LogSettings;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {
  private static final String LIBRARY = "test.library";

  @AfterEach
  void restore() {
    apply(LogSettings.Level.INFO);
  }

  @Test
  void start_recordOfJavaUtilLogging_isALineOfThisLog() {
    ListAppender<ILoggingEvent> lines = listen(LIBRARY);
    var cause = new IllegalStateException("why");

    Logger.getLogger(LIBRARY).log(Level.WARNING, "failed\r\n{}", cause);

    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getLevel()).isEqualTo(ch.qos.logback.classic.Level.WARN);
    assertThat(lines.list.get(0).getFormattedMessage()).isEqualTo("failed\r\n{}");
    assertThat(lines.list.get(0).getThrowableProxy().getMessage()).isEqualTo("why");
    assertThat(Logger.getLogger("").getHandlers())
        .hasOnlyElementsOfType(JavaLogHandler.class)
        .hasSize(1);
  }

  @Test
  void start_recordWithParameters_isFormattedOnce() {
    ListAppender<ILoggingEvent> lines = listen(LIBRARY);

    Logger.getLogger(LIBRARY).log(Level.SEVERE, "{0} of {1}", new Object[] {"{}", "two"});

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("{} of two");
  }

  @Test
  void apply_anotherLevel_holdsForJavaUtilLogging() {
    ListAppender<ILoggingEvent> lines = listen(LIBRARY);
    Logger library = Logger.getLogger(LIBRARY);

    library.fine("unseen");
    apply(LogSettings.Level.DEBUG);
    library.fine("seen");

    assertThat(lines.list).extracting(ILoggingEvent::getMessage).containsExactly("seen");
  }

  @Test
  void start_exceptionThatNoThreadCatches_isLogged() throws InterruptedException {
    ListAppender<ILoggingEvent> lines = listen(Logging.class.getName());
    var thread =
        new Thread(
            () -> {
              throw new IllegalStateException("why");
            },
            "worker");

    thread.start();
    thread.join();

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("thread worker ended by an uncaught exception");
  }

  private static ListAppender<ILoggingEvent> listen(String logger) {
    apply(LogSettings.Level.INFO);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(logger)).addAppender(lines);
    return lines;
  }

  private static void apply(LogSettings.Level level) {
    Logging.apply(new LogSettings(level, LogSettings.Format.AUTO));
  }
}
