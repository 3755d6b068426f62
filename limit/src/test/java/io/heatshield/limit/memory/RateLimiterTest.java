package io.heatshield.limit.memory;

import static io.heatshield.time.Rate.perHour;
import static io.heatshield.time.Rate.perMinute;
import static io.heatshield.time.Rate.perSecond;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Admission;
import io.heatshield.action.WhenFull;
import io.heatshield.limit.Algorithm;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.time.Rate;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RateLimiterTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void tryAcquire_upToTheLimit_isAdmittedAndThenRefused() {
    RateLimiter limiter = builder(100).limit("user", perMinute(2)).build();

    Admission first = limiter.tryAcquire("user", "42");
    Admission second = limiter.tryAcquire("user", "42");
    Admission third = limiter.tryAcquire("user", "42");

    assertThat(first.remaining()).isEqualTo(1);
    assertThat(second.admitted()).isTrue();
    assertThat(second.remaining()).isZero();
    assertThat(third.admitted()).isFalse();
    assertThat(third.count()).isEqualTo(2);
    assertThat(third.retryAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(limiter.tryAcquire("user", "43").admitted()).isTrue();
  }

  @Test
  void tryAcquire_sameKeyInEveryForm_isOneKey() {
    RateLimiter limiter = builder(100).limit("user", perMinute(4)).build();

    Admission text = limiter.tryAcquire("user", "42");
    Admission bytes = limiter.tryAcquire("user", "42".getBytes(UTF_8));
    Admission buffer = limiter.tryAcquire("user", ByteBuffer.wrap("42".getBytes(UTF_8)));
    Admission number = limiter.tryAcquire("user", 42);

    assertThat(List.of(text, bytes, buffer, number))
        .extracting(Admission::count)
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void tryAcquire_keyOfTwoLimits_isCountedForEach() {
    RateLimiter limiter =
        builder(100).limit("user", perMinute(1)).limit("address", perMinute(1)).build();

    limiter.tryAcquire("user", "k");

    assertThat(limiter.tryAcquire("address", "k").admitted()).isTrue();
    assertThat(limiter.tryAcquire("user", "k").admitted()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_severalPermits_areAdmittedAllOrNone(Algorithm algorithm) {
    RateLimiter limiter = builder(100).limit("user", perMinute(10), algorithm).build();
    limiter.tryAcquire("user", 1, 8);

    Admission tooMany = limiter.tryAcquire("user", 1, 3);
    Admission fitting = limiter.tryAcquire("user", 1, 2);

    assertThat(tooMany.admitted()).isFalse();
    assertThat(tooMany.count()).isEqualTo(8);
    assertThat(fitting.admitted()).isTrue();
    assertThat(limiter.tryAcquire("user", 2, 11).retryAfter()).isEqualTo(Admission.NEVER);
    assertThatThrownBy(() -> limiter.tryAcquire("user", 1, 0))
        .hasMessage("permits must be at least 1: 0");
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_limitOfZero_refusesEverythingAndTakesNoMemory(Algorithm algorithm) {
    RateLimiter limiter = builder(1).limit("guest", perHour(0), algorithm).build();

    Admission result = limiter.tryAcquire("guest", "k");

    assertThat(result.admitted()).isFalse();
    assertThat(result.retryAfter()).isEqualTo(Admission.NEVER);
    assertThat(limiter.stats().keys()).isZero();
    assertThat(limiter.stats().limits()).containsEntry("guest", new RateLimiterStats.Totals(0, 1));
  }

  @Test
  void tryAcquire_unknownLimit_namesTheKnownOnes() {
    RateLimiter limiter =
        builder(1).limit("user", perMinute(5)).limit("address", perSecond(5)).build();

    assertThatThrownBy(() -> limiter.tryAcquire("usr", "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit must be one of [address, user]: usr");
  }

  @Test
  void tryAcquire_moreKeysThanPlaces_admitsNewKeysByDefault() {
    RateLimiter limiter = builder(2).limit("user", perMinute(1)).build();
    limiter.tryAcquire("user", 1);
    limiter.tryAcquire("user", 2);

    Admission untracked = limiter.tryAcquire("user", 3);

    assertThat(untracked.admitted()).isTrue();
    assertThat(untracked.tracked()).isFalse();
    assertThat(limiter.tryAcquire("user", 1).admitted()).isFalse();
    assertThat(limiter.stats().untracked()).isEqualTo(1);
    assertThat(limiter.stats().keys()).isEqualTo(2);
  }

  @Test
  void tryAcquire_moreKeysThanPlacesAndRefusing_refusesNewKeysUntilAPlaceIsFree() {
    RateLimiter limiter = builder(2).limit("user", perMinute(1)).whenFull(WhenFull.REFUSE).build();
    limiter.tryAcquire("user", 1);
    limiter.tryAcquire("user", 2);

    Admission refused = limiter.tryAcquire("user", 3);
    ticker.advance(refused.retryAfter());
    Admission later = limiter.tryAcquire("user", 3);

    assertThat(refused.admitted()).isFalse();
    assertThat(refused.tracked()).isFalse();
    assertThat(later.admitted()).isTrue();
    assertThat(later.tracked()).isTrue();
  }

  @Test
  void maintain_afterTheTimeOfTheRate_freesThePlaces() {
    RateLimiter limiter = builder(100).limit("user", perMinute(1)).build();
    limiter.tryAcquire("user", 1);
    ticker.advance(Duration.ofMinutes(1));

    limiter.maintain();

    assertThat(limiter.stats().keys()).isZero();
    assertThat(limiter.stats().maxKeys()).isEqualTo(100);
  }

  @Test
  void reconfigure_sameTime_continuesTheCounts() {
    RateLimiter limiter = builder(100).limit("user", perMinute(1)).build();
    limiter.tryAcquire("user", "k");

    limiter.reconfigure("user", perMinute(3));

    assertThat(limiter.tryAcquire("user", "k").count()).isEqualTo(2);
    limiter.reconfigure("user", perMinute(0));
    assertThat(limiter.tryAcquire("user", "k").admitted()).isFalse();
    assertThat(limiter.stats().limits()).containsEntry("user", new RateLimiterStats.Totals(2, 1));
  }

  @Test
  void reconfigure_anotherTime_beginsAtZero() {
    RateLimiter limiter = builder(100).limit("user", perMinute(1)).build();
    limiter.tryAcquire("user", "k");

    limiter.reconfigure("user", perHour(5));

    assertThat(limiter.tryAcquire("user", "k").count()).isEqualTo(1);
    assertThatThrownBy(() -> limiter.reconfigure("usr", perHour(5)))
        .hasMessage("limit must be one of [user]: usr");
    assertThatThrownBy(() -> limiter.reconfigure("user", new Rate(1, Duration.ofNanos(1))))
        .isInstanceOf(InvalidSettingsException.class);
  }

  @Test
  void build_invalidSettings_reportsAllOfThem() {
    RateLimiterBuilder builder =
        builder(0)
            .limit("a", new Rate(1, Duration.ofNanos(1_500_000)))
            .limit("b", perSecond(1L << 32))
            .limit("c", new Rate(1L << 31, Duration.ofDays(366)), Algorithm.GCRA)
            .limit("c", perSecond(1));

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            InvalidSettingsException.class,
            e ->
                assertThat(e.faults())
                    .containsExactly(
                        "maxKeys must be at least 1: 0",
                        "rate of a must be per whole milliseconds: 1 per PT0.0015S",
                        "rate of b must be at most 4294967295: 4294967296",
                        "rate of c must be at most 145836053: 2147483648",
                        "limit must be added once: c"));
    assertThatThrownBy(() -> builder(1).build()).hasMessage("limits must be at least 1: 0");
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_byManyThreads_admitsExactlyTheLimit(Algorithm algorithm) throws Exception {
    RateLimiter limiter = builder(10).limit("user", perHour(777), algorithm).build();

    List<Admission> results = inParallel(8, 200, () -> limiter.tryAcquire("user", "k"));

    assertThat(results).filteredOn(Admission::admitted).hasSize(777);
    assertThat(results)
        .filteredOn(Admission::admitted)
        .extracting(Admission::count)
        .doesNotHaveDuplicates();
    assertThat(limiter.stats().limits())
        .containsEntry("user", new RateLimiterStats.Totals(777, 823));
  }

  private RateLimiterBuilder builder(int maxKeys) {
    return RateLimiter.inMemory(maxKeys).ticker(ticker::nanos);
  }

  private static <T> List<T> inParallel(int threads, int calls, Callable<T> call) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var running = new ArrayList<Future<List<T>>>();
      for (int i = 0; i < threads; i++) {
        running.add(
            pool.submit(
                () -> {
                  var results = new ArrayList<T>();
                  for (int j = 0; j < calls; j++) {
                    results.add(call.call());
                  }
                  return results;
                }));
      }
      var all = new ArrayList<T>();
      for (Future<List<T>> one : running) {
        all.addAll(one.get());
      }
      return all;
    } finally {
      pool.shutdownNow();
    }
  }
}
