package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long ALL = -1;

  private final long start = new FakeTicker().nanos();

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 30, 75, 100, 333})
  void charge_exactRate_isNeverExceeded(long rate) {
    var buckets = new TokenBuckets(List.of(limit(rate, rate)));
    long[] state = buckets.full(start);

    for (long i = 0; i < 30 * rate; i++) {
      assertThat(buckets.charge(state, 1, start + (i * SECOND / rate), ALL)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 30, 75, 100, 333})
  void charge_rateWithJitter_isNeverExceeded(long rate) {
    var buckets = new TokenBuckets(List.of(limit(rate, rate)));
    long[] state = buckets.full(start);

    for (long i = 0; i < 30 * rate; i++) {
      long jitter = (i % 2 == 0 ? 3 : 17) * 1_000_000L;
      assertThat(buckets.charge(state, 1, start + (i * SECOND / rate) + jitter, ALL)).isZero();
    }
  }

  @Test
  void charge_exactRate_leavesTheStateUnchanged() {
    var buckets = new TokenBuckets(List.of(limit(100, 100)));
    long[] state = buckets.full(0);
    long interval = 10_000_000;
    long unused = buckets.charge(state, 1, 0, -1);
    long deficit = state[0];

    for (int i = 1; i < 1_000; i++) {
      assertThat(buckets.charge(state, 1, i * interval, -1)).isZero();
      assertThat(state[0]).isEqualTo(deficit);
    }
  }

  @Test
  void charge_alternatingGapsOf3And17Ms_isNeverExceededAt100PerSecond() {
    var buckets = new TokenBuckets(List.of(limit(100, 2)));
    long[] state = buckets.full(start);
    long now = start;

    for (int i = 0; i < 3_000; i++) {
      assertThat(buckets.charge(state, 1, now, ALL)).isZero();
      now += (i % 2 == 0 ? 3 : 17) * 1_000_000L;
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "7, 7", "100, 10", "333, 1"})
  void charge_twiceTheRate_passesTheRateAndTheBurst(long rate, long burst) {
    var buckets = new TokenBuckets(List.of(limit(rate, burst)));
    long[] state = buckets.full(start);

    long passed =
        LongStream.range(0, 60 * rate)
            .filter(i -> buckets.charge(state, 1, start + (i * SECOND / (2 * rate)), ALL) == 0)
            .count();

    assertThat(passed).isBetween(30 * rate, (30 * rate) + burst + 1);
  }

  @Test
  void charge_atOneInstant_passesOnlyTheBurst() {
    var buckets = new TokenBuckets(List.of(limit(50, 10)));
    long[] state = buckets.full(start);

    long passed =
        LongStream.range(0, 1_000).filter(i -> buckets.charge(state, 1, start, ALL) == 0).count();

    assertThat(passed).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void charge_severalRates_exceedsEachIndependently(boolean slowFirst) {
    TokenBuckets.Limit slow = limit(5, 5);
    TokenBuckets.Limit quick = limit(50, 50);
    var buckets = new TokenBuckets(slowFirst ? List.of(slow, quick) : List.of(quick, slow));
    long slowBit = slowFirst ? 1 : 2;
    long[] state = buckets.full(start);
    int slowExceeded = 0;
    int quickExceeded = 0;

    for (int i = 0; i < 3_000; i++) {
      long exceeded = buckets.charge(state, 1, start + (i * SECOND / 100), ALL);
      slowExceeded += (exceeded & slowBit) != 0 ? 1 : 0;
      quickExceeded += (exceeded & ~slowBit) != 0 ? 1 : 0;
    }

    assertThat(3_000 - slowExceeded).isBetween(150, 156);
    assertThat(3_000 - quickExceeded).isBetween(1_500, 1_551);
  }

  @Test
  void charge_maximumWeight_isExceededAndChargesNothing() {
    var buckets = new TokenBuckets(List.of(limit(2, 2)));
    long[] state = buckets.full(start);

    assertThat(buckets.charge(state, Long.MAX_VALUE, start, ALL)).isEqualTo(1);
    assertThat(buckets.charge(state, 2, start, ALL)).isZero();
  }

  @Test
  void charge_afterYearsOrTickerGoesBack_chargesAFullBucket() {
    var rate =
        new TokenBuckets.Limit(
            new Rate(Integer.MAX_VALUE, Duration.ofSeconds(4)), Integer.MAX_VALUE - 1);
    var buckets = new TokenBuckets(List.of(rate));
    long[] state = buckets.full(start);
    long tenYears = Duration.ofDays(3653).toNanos();

    assertThat(buckets.charge(state, rate.burst(), start, ALL)).isZero();
    assertThat(buckets.charge(state, rate.burst(), start + tenYears, ALL)).isZero();
    assertThat(buckets.charge(state, rate.burst(), start, ALL)).isEqualTo(1);
    assertThat(buckets.charge(state, rate.burst(), start + (2 * tenYears), ALL)).isZero();
  }

  @Test
  void charge_someRates_onlyRefillsTheOthers() {
    var buckets = new TokenBuckets(List.of(limit(2, 2), limit(1, 4)));
    long[] state = buckets.full(start);
    assertThat(buckets.charge(state, 2, start, 0b01)).isZero();
    assertThat(buckets.charge(state, 4, start, 0b10)).isZero();

    assertThat(buckets.charge(state, 1, start, 0b01)).isEqualTo(0b01);
    assertThat(buckets.charge(state, 1, start, 0b10)).isEqualTo(0b10);
    assertThat(buckets.charge(state, 2, start + SECOND, 0b01)).isZero();

    assertThat(buckets.charge(state, 2, start + SECOND, 0b10)).isEqualTo(0b10);
    assertThat(buckets.charge(state, 1, start + SECOND, 0b10)).isZero();
  }

  @Test
  void charge_trackedKeys_haveSeparateBuckets() {
    var fixture = new ContestFixture();
    ContestTable table =
        ContestFixture.table(fixture.builder(4).rule(Rule.rate("r", Rate.perSecond(1))));
    Tracked one = ContestFixture.tracked(ContestFixture.touch(table, "one"));
    Tracked two = ContestFixture.tracked(ContestFixture.touch(table, "two"));

    assertThat(one.charge(1, -1)).isZero();
    assertThat(one.charge(1, -1)).isEqualTo(1);
    assertThat(two.charge(1, -1)).isZero();
    fixture.ticker.advance(Duration.ofSeconds(1));
    assertThat(one.charge(1, -1)).isZero();
  }

  private static TokenBuckets.Limit limit(long touches, long burst) {
    return new TokenBuckets.Limit(Rate.perSecond(touches), burst);
  }
}
