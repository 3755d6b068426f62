package io.heatshield.insight.savings;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.insight.TickerClock;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class DailySavingsTest {
  private static final LocalDate FIRST = LocalDate.of(2026, 3, 30);

  private final FakeTicker ticker = new FakeTicker();
  private final Clock clock =
      new TickerClock(ticker, FIRST.atTime(23, 0).toInstant(ZoneOffset.UTC));
  private final Savings savings = new Savings();
  private final DailySavings daily = new DailySavings(savings, clock);

  @Test
  void days_actionsOfTwoDays_areSeparate() {
    Action reads = savings.action("hot_reads", "main", Mode.ENFORCE);
    Action clamp = savings.action("clamp", "main", Mode.OBSERVE);
    reads.apply(5);
    clamp.apply(2);
    daily.read();
    ticker.advance(Duration.ofDays(1));
    reads.apply(7);

    assertThat(daily.days())
        .satisfiesExactly(
            today -> {
              assertThat(today.day()).isEqualTo(FIRST.plusDays(1));
              assertThat(today.saved()).isEqualTo(7);
              assertThat(today.wouldHaveSaved()).isZero();
            },
            yesterday -> {
              assertThat(yesterday.saved()).isEqualTo(5);
              assertThat(yesterday.wouldHaveSaved()).isEqualTo(2);
              assertThat(yesterday.entries()).hasSize(2);
            });
  }

  @Test
  void days_actionRemovedAndCreatedAgain_isCountedOnce() {
    savings.action("rule:flood", "table:clients", Mode.ENFORCE).apply(5);
    daily.read();
    savings.remove("rule:flood", "table:clients");
    daily.read();
    savings.action("rule:flood", "table:clients", Mode.ENFORCE).apply(9);

    assertThat(daily.days().get(0).saved()).isEqualTo(14);
  }

  @Test
  void days_moreThanTheMaximum_dropsTheOldest() {
    for (int i = 0; i < 2 * DailySavings.MAX_DAYS; i++) {
      savings.action("hot_reads", "main", Mode.ENFORCE).apply(1);
      daily.read();
      ticker.advance(Duration.ofDays(1));
    }

    assertThat(daily.days()).hasSize(DailySavings.MAX_DAYS);
  }
}
