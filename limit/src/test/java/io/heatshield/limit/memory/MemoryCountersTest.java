package io.heatshield.limit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds, expiry, and delayed callers. */
class MemoryCountersTest {

  private final FakeClock clock = new FakeClock();

  @ParameterizedTest
  @EnumSource
  void add_moreKeysThanAllowed_rejectsNewKeysAndCountsExistingOnes(Algorithm algorithm) {
    var counters = new MemoryCounters(100, clock);
    for (int i = 0; i < 100; i++) {
      add(counters, "known" + i, algorithm);
    }

    for (int i = 0; i < 5000; i++) {
      String junk = "junk" + i;
      assertThatThrownBy(() -> add(counters, junk, algorithm))
          .isInstanceOf(BackendUnavailableException.class);
    }

    assertThat(counters.size()).isEqualTo(100);
    assertThat(counters.refused()).isEqualTo(5000);
    for (int i = 0; i < 100; i++) {
      assertThat(add(counters, "known" + i, algorithm)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void add_whenWindowsHaveEnded_reusesTheirRoom(Algorithm algorithm) {
    var counters = new MemoryCounters(100, clock);
    for (int i = 0; i < 100; i++) {
      add(counters, "old" + i, algorithm);
    }

    clock.move(60_000);
    for (int i = 0; i < 100; i++) {
      assertThat(add(counters, "new" + i, algorithm)).isEqualTo(1);
    }

    assertThat(counters.size()).isEqualTo(100);
    assertThat(counters.refused()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void maintain_afterTheirWindows_removesCounters(Algorithm algorithm) {
    var counters = new MemoryCounters(100, clock);
    add(counters, "early", algorithm);
    clock.move(59_999);
    add(counters, "late", algorithm);
    counters.maintain();
    assertThat(counters.size()).isEqualTo(2);

    clock.move(1);
    counters.maintain();
    boolean fixed = algorithm == Algorithm.FIXED_WINDOW;
    assertThat(counters.size()).isEqualTo(fixed ? 0 : 1);

    clock.move(60_000);
    counters.maintain();
    assertThat(counters.size()).isZero();
  }

  @Test
  void add_onlyNewKeys_clearsEndedOnesWithoutMaintenance() {
    var counters = new MemoryCounters(10_000, clock);
    for (int second = 0; second < 50; second++) {
      for (int i = 0; i < 100; i++) {
        add(counters, second + "-" + i, Algorithm.FIXED_WINDOW);
      }
      clock.move(60_000);
    }

    assertThat(counters.size()).isLessThan(500);
  }

  @Test
  void add_callerDelayedAcrossAWindow_doesNotReopenTheOldWindow() {
    var counters = new MemoryCounters(10, clock);
    long before = clock.getAsLong();
    add(counters, "k", Algorithm.FIXED_WINDOW);
    clock.move(60_000);
    assertThat(add(counters, "k", Algorithm.FIXED_WINDOW)).isEqualTo(1);

    long late =
        counters.add(key("k", Algorithm.FIXED_WINDOW), limit(Algorithm.FIXED_WINDOW), 1, before);

    assertThat(late).isEqualTo(2);
    assertThat(add(counters, "k", Algorithm.FIXED_WINDOW)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000, 3_600_000})
  void add_clockThatLeavesTheWindowAndReturns_keepsBothCounts(long excursion) {
    var counters = new MemoryCounters(10, clock);
    for (int round = 0; round < 5; round++) {
      assertThat(add(counters, "k", Algorithm.FIXED_WINDOW)).isEqualTo(2 * round + 1);
      assertThat(add(counters, "k", Algorithm.FIXED_WINDOW)).isEqualTo(2 * round + 2);

      clock.move(excursion);
      assertThat(add(counters, "k", Algorithm.FIXED_WINDOW)).isEqualTo(round + 1);
      clock.move(-excursion);
    }
  }

  @ParameterizedTest
  @EnumSource
  void add_clockThatCrossesTheEndOfTheWindowAndReturns_admitsAtMostOneExtraLimit(
      Algorithm algorithm) {
    var counters = new MemoryCounters(10, clock);
    clock.move(59_500 - clock.getAsLong() % 60_000);
    int admitted = 0;
    for (int excursion = 0; excursion < 20; excursion++) {
      for (int call = 0; call < 30; call++) {
        admitted += add(counters, "k", algorithm) <= 10 ? 1 : 0;
      }
      clock.move(excursion % 2 == 0 ? 1_000 : -1_000);
    }

    assertThat(admitted).isBetween(10, 20);
  }

  @ParameterizedTest
  @EnumSource
  void add_toARemovedCounter_isAlwaysRejected(Algorithm algorithm) {
    Counter counter = Counter.of(algorithm, 60_000, clock.getAsLong());
    assertThat(counter.add(10, 1, clock.getAsLong(), clock)).isEqualTo(1);
    assertThat(counter.retire(clock)).isFalse();

    clock.move(60_000);

    assertThat(counter.retire(clock)).isTrue();
    assertThat(counter.add(10, 1, clock.getAsLong(), clock)).isEqualTo(Counter.RETIRED);
    assertThat(counter.retire(clock)).isTrue();
  }

  private long add(MemoryCounters counters, String key, Algorithm algorithm) {
    return counters.add(key(key, algorithm), limit(algorithm), 1, clock.getAsLong());
  }

  private static CounterKey key(String key, Algorithm algorithm) {
    return CounterKey.of("d", List.of(new DescriptorEntry("k", key)), limit(algorithm));
  }

  private static Limit limit(Algorithm algorithm) {
    return new Limit(10, LimitUnit.MINUTE, algorithm);
  }
}
