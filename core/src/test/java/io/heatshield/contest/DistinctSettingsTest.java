package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistinctSettingsTest {
  private static final DistinctSettings NO_LEAK = new DistinctSettings(256, Duration.ZERO);

  private final SplittableRandom values = new SplittableRandom(3);
  private final Xoroshiro random = new Xoroshiro(1, 2);

  @ParameterizedTest
  @CsvSource({"30, 0.06", "300, 0.055", "1000, 0.11"})
  void estimate_manyBitmaps_hasTheDocumentedError(int distinct, double error) {
    int runs = 400;
    double squares = 0;
    double sum = 0;

    for (int run = 0; run < runs; run++) {
      DistinctEstimate estimate = estimateOf(distinct);
      double off = estimate.estimate() / (double) distinct - 1;
      squares += off * off;
      sum += off;
    }

    // The root mean square of 400 runs has a relative standard error of about 1/28.
    assertThat(Math.sqrt(squares / runs)).isLessThan(error * 1.15);
    assertThat(Math.sqrt(squares / runs))
        .isCloseTo(NO_LEAK.error(distinct) / distinct, within(error * 0.25));
    assertThat(sum / runs).isCloseTo(0, within(error / 3));
  }

  @Test
  void estimate_fullBitmap_isAtLeast() {
    DistinctEstimate estimate = estimateOf(20_000);

    assertThat(estimate).isEqualTo(new DistinctEstimate(1_420, true));
    assertThat(estimate).hasToString("at least 1420");
    assertThat(NO_LEAK.most()).isEqualTo(1_420);
  }

  @Test
  void add_sameValue_isCountedOnce() {
    long[] state = NO_LEAK.empty(0);

    for (int i = 0; i < 10_000; i++) {
      NO_LEAK.add(state, 0x1234_5678_9abc_def0L, 0, random);
    }

    assertThat(NO_LEAK.estimate(state, 0, random)).isEqualTo(new DistinctEstimate(1, false));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "64, 64", "256, 256", "600, 600", "1500, 100"})
  void estimate_afterLeaks_hasLostTheExpectedShareOfBits(int seconds, int steps) {
    var leaking = new DistinctSettings(256, Duration.ofSeconds(1));
    long second = Duration.ofSeconds(1).toNanos();
    int runs = 200;
    double left = 0;
    double before = 0;

    for (int run = 0; run < runs; run++) {
      long now = new FakeTicker().nanos();
      long[] state = leaking.empty(now);
      for (int i = 0; i < 100; i++) {
        leaking.add(state, values.nextLong(), now, random);
      }
      before += bits(state);
      // Short steps clear bit by bit; a long step clears by halves.
      for (int i = 1; i <= seconds / steps; i++) {
        DistinctEstimate unused =
            leaking.estimate(state, now + ((long) i * steps * second), random);
      }
      left += bits(state);
    }

    assertThat(left / before).isCloseTo(Math.exp(-seconds / 256.0), within(0.02));
  }

  @Test
  void estimate_afterYears_isZero() {
    var leaking = new DistinctSettings(65_536, Duration.ofNanos(1));
    long[] state = leaking.empty(0);
    leaking.add(state, 7, 0, random);

    assertThat(leaking.estimate(state, Duration.ofDays(3653).toNanos(), random).estimate())
        .isZero();
  }

  @Test
  void distinct_entriesOfATable_areCountedSeparately() {
    var fixture = new ContestFixture();
    ContestTable table =
        ContestFixture.table(fixture.builder(4).distinct(DistinctSettings.DEFAULT));
    Tracked scanner = ContestFixture.tracked(ContestFixture.touch(table, "scanner"));
    Tracked reader = ContestFixture.tracked(ContestFixture.touch(table, "reader"));

    for (int i = 0; i < 200; i++) {
      scanner.addDistinct(values.nextLong());
    }
    reader.addDistinct(1);

    assertThat(scanner.distinct().estimate()).isBetween(160L, 240L);
    assertThat(reader.snapshot().distinct()).isEqualTo(new DistinctEstimate(1, false));
  }

  @Test
  void addDistinct_tableWithoutSettings_countsNone() {
    ContestTable table = new ContestFixture().table(1);
    Tracked entry = ContestFixture.tracked(ContestFixture.touch(table, "client"));

    entry.addDistinct(1);

    assertThat(entry.distinct()).isEqualTo(new DistinctEstimate(0, false));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "63, 0", "100, 0", "131072, 0", "256, -1"})
  void settings_invalidSettings_throws(int bits, long leakNanos) {
    assertThatThrownBy(() -> new DistinctSettings(bits, Duration.ofNanos(leakNanos)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private DistinctEstimate estimateOf(int distinct) {
    long[] state = NO_LEAK.empty(0);
    for (int i = 0; i < distinct; i++) {
      NO_LEAK.add(state, values.nextLong(), 0, random);
    }
    return NO_LEAK.estimate(state, 0, random);
  }

  private static int bits(long[] state) {
    int bits = 0;
    for (int i = DistinctSettings.TIME + 1; i < state.length; i++) {
      bits += Long.bitCount(state[i]);
    }
    return bits;
  }
}
