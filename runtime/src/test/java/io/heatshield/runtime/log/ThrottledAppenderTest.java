package io.heatshield.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottledAppenderTest {
  private final FakeTicker ticker = new FakeTicker();
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> target = new ListAppender<>();

  ThrottledAppenderTest() {
    target.start();
    var throttled = new ThrottledAppender(context, target, ticker::nanos);
    throttled.start();
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(throttled);
  }

  @Test
  void append_manyLinesOfALibrary_writesTenAndTheNumberOfDropped() {
    Logger library = context.getLogger("io.grpc.netty.NettyServerTransport");

    for (int i = 0; i < 300; i++) {
      library.info("nonsense {}", i);
    }
    assertThat(target.list).hasSize(10);
    ticker.advance(Duration.ofSeconds(1));
    library.info("nonsense again");

    assertThat(lines().subList(10, 12))
        .containsExactly(
            "290 more lines of io.grpc.netty.NettyServerTransport were dropped: it logs too much",
            "nonsense again");
  }

  @Test
  void append_manyLinesOfALibrary_leavesRoomForOtherLoggers() {
    for (int i = 0; i < 300; i++) {
      context.getLogger("io.grpc").info("nonsense");
    }
    target.list.clear();

    context.getLogger("io.heatshield.server").warn("hot key");

    assertThat(lines()).containsExactly("hot key");
  }

  @Test
  void append_manyLinesOfOurs_writesAThousandAndThenAHundredPerSecond() {
    Logger ours = context.getLogger("io.heatshield.server.scope");

    for (int i = 0; i < 3000; i++) {
      ours.warn("hot key");
    }
    assertThat(target.list).hasSize(1000);
    ticker.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 3000; i++) {
      ours.warn("hot key");
    }

    assertThat(target.list).hasSize(1101);
  }

  @Test
  void append_ofMoreLoggersThanAreRemembered_sharesOneThrottle() {
    for (int i = 0; i < 10_000; i++) {
      context.getLogger("library." + i).info("nonsense");
    }

    assertThat(target.list).hasSizeBetween(4096, 4096 + 10);
  }

  private List<String> lines() {
    return target.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
