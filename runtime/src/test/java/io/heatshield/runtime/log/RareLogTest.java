package io.heatshield.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RareLogTest {

  @Test
  void warn_manyTimes_writesOncePerPauseAndCountsTheRest() {
    var ticker = new FakeTicker();
    var logger = (Logger) LoggerFactory.getLogger(RareLogTest.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    var log = new RareLog(logger, ticker::nanos);

    for (int i = 0; i < 5; i++) {
      log.warn("a stranger");
    }
    ticker.advance(Duration.ofSeconds(10));
    log.warn("a stranger");

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "a stranger (0 more since the last such line)",
            "a stranger (4 more since the last such line)");
  }
}
