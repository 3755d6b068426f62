package io.heatshield.limit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.limit.Algorithm;
import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The limit and the time to wait of each algorithm, for rates of any length. */
class RateLimiterPropertyTest {
  private static final String KEY = "k";

  private final FakeTicker ticker = new FakeTicker();

  @Property(tries = 500)
  void retryAfter_ofARefusal_isTheFirstMillisecondThatAdmits(
      @ForAll("calls") List<Call> calls,
      @ForAll Algorithm algorithm,
      @ForAll @IntRange(min = 1, max = 20) int most,
      @ForAll @IntRange(min = 1, max = 5000) int windowMillis) {
    RateLimiter limiter = limiter(most, windowMillis, algorithm);

    for (Call call : calls) {
      ticker.advance(Duration.ofMillis(call.step));
      Admission result = limiter.tryAcquire("l", KEY, call.permits);
      if (result.admitted() || call.permits > most) {
        assertThat(result.admitted()).isEqualTo(call.permits <= most);
        continue;
      }

      long wait = result.retryAfter().toMillis();
      ticker.advance(Duration.ofMillis(wait - 1));
      assertThat(limiter.tryAcquire("l", KEY, call.permits).admitted()).isFalse();
      ticker.advance(Duration.ofMillis(1));
      assertThat(limiter.tryAcquire("l", KEY, call.permits).admitted()).isTrue();
    }
  }

  @Property(tries = 300)
  void tryAcquire_slidingWindow_neverAdmitsMoreIn59PartsOf60(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(max = 20) int most,
      @ForAll @IntRange(min = 60, max = 5000) int windowMillis) {
    RateLimiter limiter = limiter(most, windowMillis, Algorithm.SLIDING_WINDOW);
    var admitted = new ArrayList<Call>();
    long now = 0;

    for (Call call : calls) {
      now += call.step;
      ticker.advance(Duration.ofMillis(call.step));
      if (limiter.tryAcquire("l", KEY, call.permits).admitted()) {
        admitted.add(new Call(now, call.permits));
      }

      long since = now - windowMillis * 59L / 60;
      assertThat(admitted.stream().filter(hit -> hit.step > since).mapToLong(Call::permits).sum())
          .isLessThanOrEqualTo(most);
    }
  }

  private RateLimiter limiter(int most, int windowMillis, Algorithm algorithm) {
    return RateLimiter.inMemory(1)
        .limit("l", new Rate(most, Duration.ofMillis(windowMillis)), algorithm)
        .ticker(ticker::nanos)
        .build();
  }

  @Provide
  Arbitrary<List<Call>> calls() {
    Arbitrary<Long> step = Arbitraries.longs().between(0, 600);
    Arbitrary<Long> permits = Arbitraries.longs().between(1, 6);
    return Combinators.combine(step, permits).as(Call::new).list().ofMaxSize(40);
  }

  /** A call, and the time since the one before. */
  record Call(long step, long permits) {}
}
