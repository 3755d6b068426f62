package io.heatshield.rls.table;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.testkit.keys.DisplayAssertions;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RuleLogTest {
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(RuleLog.class);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @BeforeEach
  void listen() {
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.WARN);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(appender);
  }

  @Test
  void write_ofOneRuleAndClient_isOneLineInAnInterval() {
    try (var fixture = new TablesFixture(folder, noting("log_interval: 30s,"))) {
      for (int second = 0; second < 60; second++) {
        assertThat(fixture.passed("client", 100)).isEqualTo(100);
        fixture.ticker.advance(Duration.ofSeconds(1));
      }
      assertThat(fixture.passed("another", 100)).isEqualTo(100);

      assertThat(lines())
          .hasSize(3)
          .allMatch(line -> line.contains("of table t exceeds rule r: noted ("));
      assertThat(lines()).filteredOn(line -> line.startsWith("client client of")).hasSize(2);
      assertThat(fixture.did("r").applied()).isEqualTo(3);
    }
  }

  @Test
  void write_ofAHundredThousandClients_isBounded() {
    try (var fixture = new TablesFixture(folder, noting("slots: 200000,"))) {
      for (int i = 0; i < 100_000; i++) {
        assertThat(fixture.passed("client:" + i, 2)).isEqualTo(2);
      }

      assertThat(lines()).hasSize(1_024);
      assertThat(fixture.metrics.scrape())
          .contains("heatshield_table_log_held_back_total{table=\"t\"} 98976.0");
    }
  }

  @Test
  void write_ofNastyKeys_isPrintable() {
    try (var fixture = new TablesFixture(folder, noting("slots: 10000,"))) {
      for (NastyKey key : NastyKeys.all()) {
        fixture.passed(new String(key.bytes(), StandardCharsets.UTF_8), 2);
      }

      assertThat(lines()).hasSizeGreaterThan(10).allSatisfy(DisplayAssertions::assertSafeToDisplay);
    }
  }

  @Test
  void write_ofBlocks_saysWhatWasDone() {
    String blocking = noting("max_blocks: 1,").replace("[log]", "[log, block], block_for: 90s");
    try (var fixture = new TablesFixture(folder, blocking)) {
      fixture.passed("first", 2);
      fixture.passed("second", 2);
      fixture.reload(blocking.replace("enforce", "observe"));
      fixture.passed("third", 2);

      assertThat(lines()).hasSize(3);
      assertThat(lines().get(0)).contains("client first", "blocked for 90 s (0.0/s, key_hash ");
      assertThat(lines().get(1)).contains("client second", "not blocked, for all 1 places");
      assertThat(lines().get(2)).contains("client third", "in observe, else blocked for 90 s");
    }
  }

  private List<String> lines() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private static String noting(String more) {
    return "tables: [{ name: t, "
        + more
        + " rules: [{ name: r, when: { rate_above: 1/h, burst: 1 }, action: [log], mode: enforce"
        + " }] }]";
  }
}
