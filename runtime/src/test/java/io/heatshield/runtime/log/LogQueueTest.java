package io.heatshield.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogQueueTest {
  private final LoggerContext loggers = new LoggerContext();
  private final FakeTicker ticker = new FakeTicker();
  private final LogQueue lines = new LogQueue(ticker::nanos);
  private final List<String> written = new ArrayList<>();

  LogQueueTest() {
    loggers.setMDCAdapter(new LogbackMDCAdapter());
  }

  @Test
  void append_withoutHold_writesAtOnce() {
    log("one");

    assertThat(written).containsExactly("one");
  }

  @Test
  void release_afterAHold_writesEveryLineInOrderAndLaterOnesAtOnce() {
    lines.hold();
    log("one");
    log("two");
    assertThat(written).isEmpty();

    lines.release(this::write);
    log("three");

    assertThat(written).containsExactly("one", "two", "three");
  }

  @Test
  void append_holdOlderThanFiveSeconds_writesAll() {
    lines.hold();
    log("one");
    ticker.advance(Duration.ofSeconds(6));

    log("two");

    assertThat(written).containsExactly("one", "two");
  }

  @Test
  void append_thousandLinesHeld_writesAll() {
    lines.hold();

    for (int i = 0; i < 1_001; i++) {
      log("line " + i);
    }

    assertThat(written).hasSize(1_001).startsWith("line 0").endsWith("line 1000");
  }

  private void log(String line) {
    lines.append(
        new LoggingEvent("", loggers.getLogger("test"), Level.INFO, line, null, null), this::write);
  }

  private void write(ILoggingEvent event) {
    written.add(event.getFormattedMessage());
  }
}
