package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.WINDOW;
import static io.heatshield.contest.ContestFixture.tracked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.time.Rate;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ContestReconfigureTest {
  private final ContestFixture fixture = new ContestFixture();
  private final Ticker ticker = fixture.ticker::nanos;

  @Test
  void reconfigured_onlySlotsDiffer_returnsTheSameTableResized() {
    ContestTable before =
        ContestFixture.table(builder(600).rule(Rule.rate("r", Rate.perSecond(1))));
    Tracked client = tracked(ContestFixture.weigh(before, "client", 5));
    assertThat(client.charge(1, -1)).isZero();

    ContestTable after =
        reconfigured(before, builder(1_000).rule(Rule.rate("r", Rate.perSecond(1))));

    assertThat(after).isSameAs(before);
    assertThat(after.stats().capacity()).isEqualTo(1_000);
    assertThat(client.charge(1, -1)).isEqualTo(1);
  }

  @Test
  void reconfigured_anotherWindow_keepsScoresAgesDistinctValuesAndCounts() {
    ContestTable before = ContestFixture.table(builder(64).distinct(DistinctSettings.DEFAULT));
    Tracked scanner = tracked(ContestFixture.weigh(before, "scanner", 50));
    for (int i = 0; i < 40; i++) {
      scanner.addDistinct(i * 0x9e3779b97f4a7c15L);
    }
    long distinct = scanner.distinct().estimate();
    fixture.ticker.advance(Duration.ofMillis(500));

    ContestTable after =
        reconfigured(
            before, builder(64).distinct(DistinctSettings.DEFAULT).window(WINDOW.multipliedBy(2)));

    KeyScore restored = after.top(1).get(0);
    assertThat(after).isNotSameAs(before);
    assertThat(restored.age()).isEqualTo(Duration.ofMillis(500));
    assertThat(restored.score()).isCloseTo(50 * Math.exp(-0.5 / 20), within(1e-9));
    assertThat(restored.distinct().estimate()).isEqualTo(distinct);
    assertThat(after.stats()).isEqualTo(before.stats());
  }

  @Test
  void reconfigured_fewerSlotsThanStripes_keepsTheHighestScoresAndCountsEvictions() {
    ContestTable before = ContestFixture.table(builder(1_000));
    for (int i = 1; i <= 100; i++) {
      var unused = ContestFixture.weigh(before, "client:" + i, i);
    }

    ContestTable after = reconfigured(before, builder(8));

    assertThat(after.top(8))
        .extracting(KeyScore::score)
        .containsExactly(100.0, 99.0, 98.0, 97.0, 96.0, 95.0, 94.0, 93.0);
    assertThat(after.stats().evictions()).isEqualTo(92);
    assertThat(after.stats().touches()).isEqualTo(100);
    assertThat(Objects.requireNonNull(ContestFixture.find(after, "client:100")).isEvicted())
        .isFalse();
  }

  private static ContestTable reconfigured(ContestTable before, HeavyHittersBuilder settings) {
    return before.reconfigured(settings.config(), settings.maxKeys());
  }

  private HeavyHittersBuilder builder(int slots) {
    return fixture.builder(slots).ticker(ticker);
  }
}
