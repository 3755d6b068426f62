package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.WINDOW;
import static io.heatshield.contest.ContestFixture.tracked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.hash.HashSecret;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ContestResumeTest {
  private final ContestFixture fixture = new ContestFixture();
  private final Ticker ticker = fixture.ticker::nanos;

  @Test
  void resume_onlySlotsDiffer_returnsTheSameTableRebuilder() {
    ContestTable before = builder(600).rates(List.of(TokenRate.perSecond(1))).build();
    Tracked client = tracked(before.touch("client", 5));
    assertThat(client.charge(1)).isZero();

    ContestTable after = builder(1_000).rates(List.of(TokenRate.perSecond(1))).resume(before);

    assertThat(after).isSameAs(before);
    assertThat(after.stats().capacity()).isEqualTo(1_000);
    assertThat(client.charge(1)).isEqualTo(1);
  }

  @Test
  void resume_anotherWindow_keepsScoresAgesDistinctValuesAndCounts() {
    ContestTable before = builder(64).cardinality(Cardinality.DEFAULT).build();
    Tracked scanner = tracked(before.touch("scanner", 50));
    for (int i = 0; i < 40; i++) {
      scanner.addDistinct(i * 0x9e3779b97f4a7c15L);
    }
    long distinct = scanner.distinct().estimate();
    fixture.ticker.advance(Duration.ofMillis(500));

    ContestTable after =
        builder(64).cardinality(Cardinality.DEFAULT).window(WINDOW.multipliedBy(2)).resume(before);

    KeyScore restored = after.top(1).get(0);
    assertThat(after).isNotSameAs(before);
    assertThat(restored.age()).isEqualTo(Duration.ofMillis(500));
    assertThat(restored.score()).isCloseTo(50 * Math.exp(-0.5 / 20), within(1e-9));
    assertThat(restored.distinct().estimate()).isEqualTo(distinct);
    assertThat(after.stats()).isEqualTo(before.stats());
  }

  @Test
  void resume_fewerSlotsThanStripes_keepsTheHighestScoresAndCountsEvictions() {
    ContestTable before = builder(1_000).build();
    for (int i = 1; i <= 100; i++) {
      var unused = before.touch("client:" + i, i);
    }

    ContestTable after = builder(8).resume(before);

    assertThat(after.top(8))
        .extracting(KeyScore::score)
        .containsExactly(100.0, 99.0, 98.0, 97.0, 96.0, 95.0, 94.0, 93.0);
    assertThat(after.stats().evictions()).isEqualTo(92);
    assertThat(after.stats().touches()).isEqualTo(100);
    assertThat(Objects.requireNonNull(after.find("client:100")).isEvicted()).isFalse();
  }

  @Test
  void resume_anotherSecret_throws() {
    ContestTable before = builder(8).build();

    assertThatThrownBy(
            () -> builder(8).secret(HashSecret.of(new byte[16])).window(WINDOW).resume(before))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret");
  }

  private ContestTableBuilder builder(int slots) {
    return fixture.builder(slots).ticker(ticker);
  }
}
