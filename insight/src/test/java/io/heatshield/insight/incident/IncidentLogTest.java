package io.heatshield.insight.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.TickerClock;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);

  private final FakeTicker ticker = new FakeTicker();
  private final Clock clock = new TickerClock(ticker, START);
  private final Metrics metrics = new Metrics();
  private final ServerScopes scopes =
      new ServerScopes(
          new DetectSettings(Duration.ofSeconds(1), 4, 10, 0.8, false, 65_536, 4, 256, false, 5),
          HashSecret.random(),
          ticker::nanos,
          clock,
          metrics);
  private final AtomicInteger explained = new AtomicInteger();
  private final IncidentLog incidents =
      new IncidentLog(
          scopes,
          new WallTime(ticker::nanos, clock),
          (scope, key) -> {
            explained.incrementAndGet();
            return Optional.of(Map.of("recommendation", "do something"));
          });
  private final HotKeyDetector shop = scopes.open("shop");

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void poll_hotKey_opensAnIncidentWithItsExplanation() {
    shop.touch("cart", 50);

    incidents.poll();

    assertThat(incidents.open()).hasSize(1);
    Incident incident = incidents.open().get(0);
    assertThat(incident.key()).isEqualTo("cart");
    assertThat(incident.scope()).isEqualTo("shop");
    assertThat(incident.startMillis()).isEqualTo(START.toEpochMilli());
    assertThat(incident.peakRate()).isEqualTo(50);
    assertThat(incident.explained()).containsEntry("recommendation", "do something");
    assertThat(incidents.closed()).isEmpty();
  }

  @Test
  void poll_keyHasCooled_endsTheIncidentAndKeepsItsExplanation() {
    shop.touch("cart", 50);
    incidents.poll();

    cool();

    assertThat(incidents.open()).isEmpty();
    Incident incident = incidents.closed().get(0);
    assertThat(incident.endMillis()).isEqualTo(clock.millis());
    assertThat(incident.peakRate()).isEqualTo(50);
    assertThat(incident.explained()).isNotNull();
  }

  @Test
  void poll_hotAgainWithinAMinute_continuesTheIncident() {
    shop.touch("cart", 50);
    incidents.poll();
    cool();

    shop.touch("cart", 80);
    incidents.poll();

    assertThat(incidents.closed()).isEmpty();
    assertThat(incidents.open().get(0).times()).isEqualTo(2);
    assertThat(incidents.open().get(0).startMillis()).isEqualTo(START.toEpochMilli());
    assertThat(incidents.open().get(0).peakRate()).isEqualTo(80);
  }

  @Test
  void poll_hotAgainLater_opensAnotherIncident() {
    shop.touch("cart", 50);
    incidents.poll();
    cool();
    ticker.advance(Duration.ofMillis(IncidentLog.SAME_MILLIS + 1));

    shop.touch("cart", 50);
    incidents.poll();

    assertThat(incidents.open()).hasSize(1);
    assertThat(incidents.closed()).hasSize(1);
    assertThat(incidents.open().get(0).id()).isNotEqualTo(incidents.closed().get(0).id());
  }

  @Test
  void poll_moreHotKeysThanAllowed_countsTheOthersOnceAndExplainsTheHottest() {
    int many = IncidentLog.MAX_OPEN + 20;
    for (int i = 0; i < many; i++) {
      shop.touch("key" + i, 20 + i);
    }

    incidents.poll();
    incidents.poll();

    assertThat(incidents.open()).hasSize(IncidentLog.MAX_OPEN);
    assertThat(incidents.open()).extracting(Incident::key).contains("key" + (many - 1));
    assertThat(incidents.leftOut()).isEqualTo(20);
    assertThat(explained).hasValue(2 * IncidentLog.MAX_EXPLAINED);
  }

  @Test
  void closed_moreThanTheMaximum_hasTheNewestFirst() {
    for (int i = 0; i < IncidentLog.MAX_CLOSED + 5; i++) {
      shop.touch("key" + i, 50);
      incidents.poll();
      cool();
    }

    assertThat(incidents.closed()).hasSize(IncidentLog.MAX_CLOSED);
    assertThat(incidents.closed().get(0).key()).isEqualTo("key" + (IncidentLog.MAX_CLOSED + 4));
  }

  private void cool() {
    ticker.advance(Duration.ofSeconds(3));
    scopes.maintain();
    incidents.poll();
  }
}
