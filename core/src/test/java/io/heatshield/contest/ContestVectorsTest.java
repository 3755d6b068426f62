package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.bytes;
import static io.heatshield.contest.ContestFixture.tracked;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fixed cases with known results, and tickers that go back. */
class ContestVectorsTest {
  private final ContestFixture fixture = new ContestFixture();

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void touch_lighterThenHeavierNewcomer_losesThenWins(int probes) {
    ContestTable table = ContestFixture.table(fixture.builder(1).probes(probes));
    Tracked incumbent = tracked(ContestFixture.weigh(table, "incumbent", 2));

    Tracked lighter = ContestFixture.weigh(table, "challenger", 1);
    Tracked heavier = ContestFixture.weigh(table, "replacement", 3);

    assertThat(lighter).isNull();
    assertThat(heavier).isNotNull();
    assertThat(incumbent.isEvicted()).isTrue();
    assertThat(ContestFixture.find(table, "incumbent")).isNull();
    assertThat(ContestFixture.find(table, "replacement")).isSameAs(heavier);
    // The first touch used a free slot without a contest.
    assertThat(table.stats()).isEqualTo(new ContestStats(1, 1, 3, 1, 2, 1, 1, 0, 1, 1));
  }

  @Test
  void touch_maximumWeights_keepsScoresFiniteAndOrdered() {
    ContestTable table = fixture.table(2);
    for (int i = 0; i < 1_000; i++) {
      var unused = ContestFixture.weigh(table, "huge", Long.MAX_VALUE);
      unused = ContestFixture.weigh(table, "large", Long.MAX_VALUE / 2);
      unused = ContestFixture.weigh(table, "newcomer", 1);
      fixture.ticker.advance(Duration.ofSeconds(1));
    }

    List<KeyScore> top = table.top(2);

    assertThat(top).extracting(KeyScore::toString).allMatch(text -> !text.contains("NaN"));
    assertThat(top).extracting(KeyScore::key).containsExactly(bytes("huge"), bytes("large"));
    assertThat(top).allMatch(entry -> Double.isFinite(entry.score()) && entry.score() > 0);
  }

  @Test
  void touch_tickerGoesBack_losesNoTouchAndEvictsNoEntry() {
    var nanos = new AtomicLong(Duration.ofHours(2).toNanos());
    ContestTable table = ContestFixture.table(fixture.builder(2).stripes(1).ticker(nanos::get));
    ContestFixture.touch(table, "a", 10);
    ContestFixture.touch(table, "b", 10);

    nanos.addAndGet(-Duration.ofHours(1).toNanos());
    ContestFixture.touch(table, "a", 10);
    Tracked newcomer = ContestFixture.touch(table, "newcomer");

    assertThat(newcomer).isNull();
    assertThat(table.top(2)).extracting(KeyScore::score).containsExactly(20.0, 10.0);
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(table.top(1).get(0).score()).isEqualTo(20.0);
    assertThat(table.stats().evictions()).isZero();
  }

  @Test
  void charge_lenientAndStrictRate_exceedsOnlyTheStrictOne() {
    var buckets = new TokenBuckets(List.of(limit(100, 100), limit(5, 5)));
    long[] state = buckets.full(0);

    var exceeded = new ArrayList<Long>();
    for (int i = 0; i < 6; i++) {
      exceeded.add(buckets.charge(state, 1, 0, -1));
    }

    assertThat(exceeded).containsExactly(0L, 0L, 0L, 0L, 0L, 0b10L);
    assertThat(buckets.charge(state, 94, 0, 0b01)).as("94 of 100 are left").isZero();
    assertThat(buckets.charge(state, 1, 0, 0b01)).isEqualTo(1);
  }

  @Test
  void charge_byEightThreads_passesExactlyTheBurst() throws Exception {
    ContestTable table =
        ContestFixture.table(fixture.builder(4).rule(Rule.rate("r", Rate.perSecond(500))));
    Tracked entry = tracked(ContestFixture.touch(table, "client"));
    var passed = new AtomicInteger();

    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      tasks.add(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              passed.addAndGet(entry.charge(1, -1) == 0 ? 1 : 0);
            }
            return null;
          });
    }
    var threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(passed).hasValue(500);
  }

  private static TokenBuckets.Limit limit(long touches, long burst) {
    return new TokenBuckets.Limit(Rate.perSecond(touches), burst);
  }
}
