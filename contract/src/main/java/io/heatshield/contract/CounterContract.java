package io.heatshield.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of back ends of rate-limit counters.
 *
 * <pre>{@code
 * class MyCountersTest extends CounterContract {
 *   protected CounterBackend backend(LongSupplier clockMillis) {
 *     return new MyCounters(clockMillis);
 *   }
 * }
 * }</pre>
 *
 * <p>The suite owns the clock. Its counters have keys of their own in each test, so a back end may
 * keep the counters of earlier tests.
 */
public abstract class CounterContract {
  private static final long PATIENCE_SECONDS = 30;
  private static final long MINUTE = 60_000;
  private static final long START = 1_700_000_040_000L; // The first millisecond of a minute.
  private static final long MAX_UINT32 = 0xffff_ffffL;
  private final AtomicLong millis = new AtomicLong(START);
  private final String domain = "contract-" + UUID.randomUUID();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private CounterBackend backend;

  /** Creates the suite. */
  protected CounterContract() {}

  /**
   * Returns a back end.
   *
   * @param clockMillis the Unix time of the suite; a back end may ignore it, because each call has
   *     the time
   */
  protected abstract CounterBackend backend(LongSupplier clockMillis) throws Exception;

  @BeforeEach
  final void open() throws Exception {
    backend = backend(millis::get);
  }

  @Test
  void add_oneHitAtATime_countsUpFromOne() {
    List<Long> counts = List.of(fixed(1), fixed(1), fixed(1));

    assertThat(counts).containsExactly(1L, 2L, 3L);
  }

  @Test
  void add_severalHits_countsAllOfThem() {
    fixed(3);

    assertThat(fixed(4)).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void add_noHits_readsWithoutCounting(Algorithm algorithm) {
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 0)).isZero();
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 4)).isEqualTo(4);
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 0)).isEqualTo(4);
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 1)).isEqualTo(5);
  }

  @Test
  void add_overTheLimitOfAFixedWindow_keepsCounting() {
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, 1, 5)).isEqualTo(5);
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, 1, 1)).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, names = "FIXED_WINDOW", mode = EnumSource.Mode.EXCLUDE)
  void add_overTheLimitOfAnotherAlgorithm_isReportedButNotCounted(Algorithm algorithm) {
    add("k", LimitUnit.MINUTE, algorithm, 10, 8);

    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 3)).isEqualTo(11);
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 2)).isEqualTo(10);
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 1)).isEqualTo(11);
  }

  @ParameterizedTest
  @EnumSource
  void add_maximumHits_exceedsTheLimitAndNeverWraps(Algorithm algorithm) {
    for (int i = 0; i < 5; i++) {
      assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, MAX_UINT32)).isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void add_withALimitOfZero_isAlwaysOver(Algorithm algorithm) {
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 0, 1)).isPositive();
    assertThat(add("k", LimitUnit.MINUTE, algorithm, 0, 1)).isPositive();
  }

  @Test
  void add_maximumHitsAgainstTheMaximumLimit_isExceededByTheNextHit() {
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, MAX_UINT32, MAX_UINT32))
        .isEqualTo(MAX_UINT32);
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, MAX_UINT32, 1))
        .isGreaterThan(MAX_UINT32);
  }

  @Test
  void add_differentKeysUnitsAndAlgorithms_areCountedSeparately() {
    add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, 10, 1);

    assertThat(add("l", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, 10, 2)).isEqualTo(2);
    assertThat(add("k", LimitUnit.HOUR, Algorithm.FIXED_WINDOW, 10, 3)).isEqualTo(3);
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.SLIDING_WINDOW, 10, 4)).isEqualTo(4);
    assertThat(add("k", LimitUnit.MINUTE, Algorithm.GCRA, 10, 5)).isEqualTo(5);
  }

  @Test
  void add_inTheNextFixedWindow_startsAtZeroAtTheExactMillisecond() {
    fixed(9);

    millis.set(START + MINUTE - 1);
    assertThat(fixed(1)).isEqualTo(10);
    millis.set(START + MINUTE);
    assertThat(fixed(1)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void add_afterTwoUnitsWithoutHits_startsAtZero(Algorithm algorithm) {
    add("k", LimitUnit.MINUTE, algorithm, 10, 10);

    millis.addAndGet(2 * MINUTE);

    assertThat(add("k", LimitUnit.MINUTE, algorithm, 10, 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, names = "FIXED_WINDOW", mode = EnumSource.Mode.EXCLUDE)
  void add_atTheBoundaryOfAWindow_admitsTheLimitOnce(Algorithm algorithm) {
    millis.set(START + MINUTE - 1);
    long admitted = add("k", LimitUnit.MINUTE, algorithm, 10, 10) <= 10 ? 10 : 0;

    millis.set(START + MINUTE);
    admitted += add("k", LimitUnit.MINUTE, algorithm, 10, 10) <= 10 ? 10 : 0;

    assertThat(admitted).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {3_600_000, -3_600_000})
  void add_whenTheClockJumpsByAnHour_countsInTheWindowOfTheNewTime(long jump) {
    fixed(9);

    millis.addAndGet(jump);

    assertThat(fixed(1)).isEqualTo(1);
    assertThat(fixed(1)).isEqualTo(2);
  }

  @Test
  void add_byManyCallersOfOneKey_givesEachRankOnce() throws Exception {
    List<Long> counts = inParallel(8, 1000, () -> fixed(1));

    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 8000).boxed().toList());
  }

  @ParameterizedTest
  @EnumSource
  void add_byManyCallersOfOneKey_admitsExactlyTheLimit(Algorithm algorithm) throws Exception {
    List<Long> counts = inParallel(8, 200, () -> add("k", LimitUnit.DAY, algorithm, 777, 1));

    assertThat(counts).filteredOn(count -> count <= 777).hasSize(777).doesNotHaveDuplicates();
  }

  private long fixed(long hits) {
    return add("k", LimitUnit.MINUTE, Algorithm.FIXED_WINDOW, 10, hits);
  }

  private long add(String key, LimitUnit unit, Algorithm algorithm, long most, long hits) {
    var limit = new Limit(most, unit, algorithm);
    CounterKey name = CounterKey.of(domain, List.of(new DescriptorEntry(key, "")), limit);
    var outcome = new Outcome();
    backend.add(name, limit, hits, millis.get(), outcome, Outcome.SLOT);
    try {
      return outcome.count.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the back end returned no count", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static List<Long> inParallel(int threads, int calls, Callable<Long> call)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var results = new ArrayList<Future<List<Long>>>();
      for (int i = 0; i < threads; i++) {
        results.add(
            pool.submit(
                () -> {
                  var counts = new ArrayList<Long>();
                  for (int j = 0; j < calls; j++) {
                    counts.add(call.call());
                  }
                  return counts;
                }));
      }
      var all = new ArrayList<Long>();
      for (Future<List<Long>> result : results) {
        all.addAll(result.get());
      }
      return all;
    } finally {
      pool.shutdownNow();
    }
  }

  /** Receives exactly one count, or fails. */
  private static final class Outcome implements CounterSink {
    static final int SLOT = 7;
    final CompletableFuture<Long> count = new CompletableFuture<>();

    @Override
    public void counted(int slot, long value) {
      if (slot != SLOT || !count.complete(value)) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      if (slot != SLOT || !count.completeExceptionally(reason)) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }
  }
}
