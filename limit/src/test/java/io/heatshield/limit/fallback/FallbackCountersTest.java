package io.heatshield.limit.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Counting;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackCountersTest {
  private static final long NOW = 1_700_000_040_000L;
  private static final Limit LIMIT = new Limit(3, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);
  private static final CounterKey KEY = Counting.key("d", "k", LIMIT);

  private final AtomicBoolean gone = new AtomicBoolean(true);
  private final MemoryCounters local = new MemoryCounters(10, () -> NOW);
  private final CounterBackend shared =
      (key, limit, hits, clockMillis, sink, slot) -> {
        if (gone.get()) {
          sink.failed(slot, new BackendUnavailableException("Redis is gone"));
        } else {
          sink.counted(slot, 100);
        }
      };

  @Test
  void add_whenOpen_isOkUnlessTheLimitIsZero() {
    var counters = new FallbackCounters(shared, local, OnFailure.OPEN);
    var nothing = new Limit(0, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW);

    assertThat(Counting.add(counters, KEY, LIMIT, 9, NOW).join()).isZero();
    assertThat(Counting.add(counters, KEY, nothing, 1, NOW).join()).isEqualTo(1);
    assertThat(local.size()).isZero();
  }

  @Test
  void add_whenClosed_isOverEveryLimit() {
    var counters = new FallbackCounters(shared, local, OnFailure.CLOSED);

    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW).join()).isGreaterThan(3);
    assertThat(Counting.add(counters, KEY, LIMIT, 0, NOW).join()).isGreaterThan(3);
    assertThat(local.size()).isZero();
  }

  @Test
  void add_whenLocalIsFull_fails() {
    var counters = new FallbackCounters(shared, new MemoryCounters(1, () -> NOW), OnFailure.LOCAL);
    Counting.add(counters, Counting.key("d", "other", LIMIT), LIMIT, 1, NOW).join();

    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW))
        .failsWithin(Counting.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(BackendUnavailableException.class);
  }

  @Test
  void policy_changed_appliesToTheNextFailure() {
    var counters = new FallbackCounters(shared, local, OnFailure.OPEN);
    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW).join()).isZero();

    counters.policy(OnFailure.LOCAL);

    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW).join()).isEqualTo(1);
    assertThat(counters.degradedAnswers(OnFailure.OPEN)).isEqualTo(1);
    assertThat(counters.degradedAnswers(OnFailure.LOCAL)).isEqualTo(1);
  }

  @Test
  void add_whenLocal_countsInThisProcess() {
    var counters = new FallbackCounters(shared, local, OnFailure.LOCAL);

    assertThat(Counting.add(counters, KEY, LIMIT, 2, NOW).join()).isEqualTo(2);
    assertThat(Counting.add(counters, KEY, LIMIT, 2, NOW).join()).isEqualTo(4);
  }

  @Test
  void add_whenLocalAndFlapping_admitsOneLimitMoreAtMost() {
    var here = new MemoryCounters(10, () -> NOW);
    var there = new MemoryCounters(10, () -> NOW);
    CounterBackend flapping =
        (key, limit, hits, clockMillis, sink, slot) -> {
          if (gone.get()) {
            sink.failed(slot, new BackendUnavailableException("Redis is gone"));
          } else {
            there.add(key, limit, hits, clockMillis, sink, slot);
          }
        };
    var counters = new FallbackCounters(flapping, here, OnFailure.LOCAL);
    long admitted = 0;

    for (int i = 0; i < 100; i++) {
      gone.set(i % 3 == 0);
      admitted += Counting.add(counters, KEY, LIMIT, 1, NOW).join() <= 3 ? 1 : 0;
    }

    assertThat(admitted).isEqualTo(2 * LIMIT.requestsPerUnit());
  }

  @ParameterizedTest
  @EnumSource(OnFailure.class)
  void add_whenTheSharedCountersAnswer_forwardsTheAnswerUnmarked(OnFailure policy) {
    var counters = new FallbackCounters(shared, local, policy);
    gone.set(false);

    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW).join()).isEqualTo(100);

    assertThat(counters.isDegraded()).isFalse();
    assertThat(counters.degradedAnswers(policy)).isZero();
  }

  @ParameterizedTest
  @EnumSource(OnFailure.class)
  void add_whenTheSharedCountersFail_isMarkedUntilTheyAnswer(OnFailure policy) {
    var counters = new FallbackCounters(shared, local, policy);

    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW)).isDone();
    assertThat(counters.isDegraded()).isTrue();
    assertThat(counters.degradedAnswers(policy)).isEqualTo(1);

    gone.set(false);
    assertThat(Counting.add(counters, KEY, LIMIT, 1, NOW)).isDone();
    assertThat(counters.isDegraded()).isFalse();
    assertThat(counters.degradedAnswers(policy)).isEqualTo(1);
  }
}
