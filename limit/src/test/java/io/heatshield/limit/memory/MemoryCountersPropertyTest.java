package io.heatshield.limit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.FakeClock;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.CounterKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Each algorithm against a model that keeps every hit with its time. */
class MemoryCountersPropertyTest {

  @Property(tries = 300)
  void add_fixedWindow_countsAllHitsOfTheWindow(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(max = 20) int most,
      @ForAll LimitUnit unit) {
    var run = new Run(unit, Algorithm.FIXED_WINDOW, most);

    for (Call call : calls) {
      long result = run.add(call);
      run.all.add(new Hit(run.now(), call.hits));

      long window = unit.window(run.now());
      long expected =
          run.all.stream()
              .filter(hit -> unit.window(hit.millis) == window)
              .mapToLong(Hit::count)
              .sum();
      assertThat(result).isEqualTo(expected);
    }
  }

  @Property(tries = 300)
  void add_slidingWindow_neverAdmitsMoreInAny59PartsOf60(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(max = 20) int most,
      @ForAll LimitUnit unit) {
    var run = new Run(unit, Algorithm.SLIDING_WINDOW, most);

    for (Call call : calls) {
      long result = run.add(call);

      long part = part(run.now(), unit);
      long held =
          run.admitted.stream()
              .filter(hit -> part(hit.millis, unit) > part - 60)
              .mapToLong(Hit::count)
              .sum();
      assertThat(result).isEqualTo(held + call.hits);
      run.admit(call, result);
      long since = run.now() - unit.millis() * 59 / 60;
      assertThat(
              run.admitted.stream().filter(hit -> hit.millis > since).mapToLong(Hit::count).sum())
          .isLessThanOrEqualTo(most);
    }
  }

  @Property(tries = 300)
  void add_gcra_isTheExactBucket(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(max = 20) int most,
      @ForAll LimitUnit unit) {
    var run = new Run(unit, Algorithm.GCRA, most);
    BigInteger perHit = BigInteger.valueOf(unit.millis());
    BigInteger drops = BigInteger.ZERO;

    for (Call call : calls) {
      long result = run.add(call);

      drops = drops.subtract(BigInteger.valueOf(call.step * most)).max(BigInteger.ZERO);
      BigInteger filled = drops.add(perHit.multiply(BigInteger.valueOf(call.hits)));
      boolean admitted = filled.compareTo(perHit.multiply(BigInteger.valueOf(most))) <= 0;
      assertThat(result <= most || call.hits == 0).isEqualTo(admitted || call.hits == 0);
      if (admitted) {
        drops = filled;
        assertThat(result)
            .isEqualTo(filled.add(perHit).subtract(BigInteger.ONE).divide(perHit).longValueExact());
      }
    }
  }

  @Property(tries = 200)
  void add_clockThatJumps_neverCountsBeyondWhatWasAdded(
      @ForAll("calls") List<Call> calls,
      @ForAll Algorithm algorithm,
      @ForAll("jumps") List<Long> jumps) {
    var run = new Run(LimitUnit.MINUTE, algorithm, 10);
    long added = 0;
    long latest = run.now();

    for (int i = 0; i < calls.size(); i++) {
      run.clock.move(i < jumps.size() ? jumps.get(i) : 0);
      added += calls.get(i).hits;
      assertThat(run.add(calls.get(i))).isBetween(calls.get(i).hits, added);
      latest = Math.max(latest, run.now());
    }
    run.clock.move(latest - run.now() + 120_000);
    assertThat(run.add(new Call(0, 1))).isEqualTo(1);
  }

  @Provide
  Arbitrary<List<Call>> calls() {
    Arbitrary<Long> step =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(5, Arbitraries.longs().between(0, 20)),
            net.jqwik.api.Tuple.of(3, Arbitraries.longs().between(0, 2000)),
            net.jqwik.api.Tuple.of(1, Arbitraries.longs().between(0, 4_000_000_000L)));
    Arbitrary<Long> hits = Arbitraries.longs().between(0, 6);
    return Combinators.combine(step, hits).as(Call::new).list().ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<Long>> jumps() {
    return Arbitraries.longs().between(-4_000_000, 4_000_000).list().ofMaxSize(60);
  }

  private static long part(long millis, LimitUnit unit) {
    return Math.floorDiv(millis * 60, unit.millis());
  }

  record Call(long step, long hits) {}

  private record Hit(long millis, long count) {}

  private static final class Run {
    final FakeClock clock = new FakeClock();
    final List<Hit> all = new ArrayList<>();
    final List<Hit> admitted = new ArrayList<>();
    private final MemoryCounters counters = new MemoryCounters(1, clock);
    private final Limit limit;
    private final CounterKey key;

    Run(LimitUnit unit, Algorithm algorithm, long most) {
      limit = new Limit(most, unit, algorithm);
      key = CounterKey.of("d", List.of(new DescriptorEntry("k", "v")), limit);
    }

    long now() {
      return clock.getAsLong();
    }

    long add(Call call) {
      clock.move(call.step);
      return counters.add(key, limit, call.hits, now());
    }

    void admit(Call call, long result) {
      if (result <= limit.requestsPerUnit()) {
        admitted.add(new Hit(now(), call.hits));
      }
    }
  }
}
