package io.heatshield.testkit.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every backend of rate-limit counters; one subclass per backend.
 *
 * <p>The suite owns the wall clock and passes it to {@link #subject}.
 */
public abstract class CounterContract {
  private static final long MINUTE = 60_000;
  private static final long START = 1_700_000_040_000L; // The first millisecond of a minute.
  private static final long MAX_UINT32 = 0xffff_ffffL;

  private final AtomicLong millis = new AtomicLong(START);

  /** Returns an empty backend that reads this clock. */
  protected abstract CounterSubject subject(LongSupplier clock);

  @Test
  void add_oneHitAtATime_countsUpFromOne() {
    CounterSubject subject = subject(millis::get);

    List<Long> counts = List.of(fixed(subject, 1), fixed(subject, 1), fixed(subject, 1));

    assertThat(counts).containsExactly(1L, 2L, 3L);
  }

  @Test
  void add_severalHits_countsAllOfThem() {
    CounterSubject subject = subject(millis::get);

    fixed(subject, 3);

    assertThat(fixed(subject, 4)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed_window", "sliding_window", "gcra"})
  void add_noHits_readsWithoutCounting(String algorithm) {
    CounterSubject subject = subject(millis::get);

    assertThat(add(subject, "k", "minute", algorithm, 10, 0)).isZero();
    assertThat(add(subject, "k", "minute", algorithm, 10, 4)).isEqualTo(4);
    assertThat(add(subject, "k", "minute", algorithm, 10, 0)).isEqualTo(4);
    assertThat(add(subject, "k", "minute", algorithm, 10, 1)).isEqualTo(5);
  }

  @Test
  void add_overTheLimitOfAFixedWindow_keepsCounting() {
    CounterSubject subject = subject(millis::get);

    assertThat(add(subject, "k", "minute", "fixed_window", 1, 5)).isEqualTo(5);
    assertThat(add(subject, "k", "minute", "fixed_window", 1, 1)).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding_window", "gcra"})
  void add_overTheLimitOfAnotherAlgorithm_isReportedButNotCounted(String algorithm) {
    CounterSubject subject = subject(millis::get);
    add(subject, "k", "minute", algorithm, 10, 8);

    assertThat(add(subject, "k", "minute", algorithm, 10, 3)).isEqualTo(11);
    assertThat(add(subject, "k", "minute", algorithm, 10, 2)).isEqualTo(10);
    assertThat(add(subject, "k", "minute", algorithm, 10, 1)).isEqualTo(11);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed_window", "sliding_window", "gcra"})
  void add_maximumHits_exceedsTheLimitAndNeverWraps(String algorithm) {
    CounterSubject subject = subject(millis::get);

    for (int i = 0; i < 5; i++) {
      assertThat(add(subject, "k", "minute", algorithm, 10, MAX_UINT32)).isGreaterThan(10);
    }
  }

  @Test
  void add_maximumHitsAgainstTheMaximumLimit_isExceededByTheNextHit() {
    CounterSubject subject = subject(millis::get);

    assertThat(add(subject, "k", "minute", "fixed_window", MAX_UINT32, MAX_UINT32))
        .isEqualTo(MAX_UINT32);
    assertThat(add(subject, "k", "minute", "fixed_window", MAX_UINT32, 1))
        .isGreaterThan(MAX_UINT32);
  }

  @Test
  void add_differentKeysUnitsAndAlgorithms_areCountedSeparately() {
    CounterSubject subject = subject(millis::get);
    add(subject, "k", "minute", "fixed_window", 10, 1);

    assertThat(add(subject, "l", "minute", "fixed_window", 10, 2)).isEqualTo(2);
    assertThat(add(subject, "k", "hour", "fixed_window", 10, 3)).isEqualTo(3);
    assertThat(add(subject, "k", "minute", "sliding_window", 10, 4)).isEqualTo(4);
    assertThat(add(subject, "k", "minute", "gcra", 10, 5)).isEqualTo(5);
  }

  @Test
  void add_inTheNextFixedWindow_startsAtZeroAtTheExactMillisecond() {
    CounterSubject subject = subject(millis::get);
    fixed(subject, 9);

    millis.set(START + MINUTE - 1);
    assertThat(fixed(subject, 1)).isEqualTo(10);
    millis.set(START + MINUTE);
    assertThat(fixed(subject, 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed_window", "sliding_window", "gcra"})
  void add_afterTwoUnitsWithoutHits_startsAtZero(String algorithm) {
    CounterSubject subject = subject(millis::get);
    add(subject, "k", "minute", algorithm, 10, 10);

    millis.addAndGet(2 * MINUTE);

    assertThat(add(subject, "k", "minute", algorithm, 10, 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding_window", "gcra"})
  void add_atTheBoundaryOfAWindow_admitsTheLimitOnce(String algorithm) {
    CounterSubject subject = subject(millis::get);
    millis.set(START + MINUTE - 1);
    long admitted = add(subject, "k", "minute", algorithm, 10, 10) <= 10 ? 10 : 0;

    millis.set(START + MINUTE);
    admitted += add(subject, "k", "minute", algorithm, 10, 10) <= 10 ? 10 : 0;

    assertThat(admitted).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {3_600_000, -3_600_000})
  void add_whenTheClockJumpsByAnHour_countsInTheWindowOfTheNewTime(long jump) {
    CounterSubject subject = subject(millis::get);
    fixed(subject, 9);

    millis.addAndGet(jump);

    assertThat(fixed(subject, 1)).isEqualTo(1);
    assertThat(fixed(subject, 1)).isEqualTo(2);
  }

  @Test
  void add_byManyCallersOfOneKey_givesEachRankOnce() throws Exception {
    CounterSubject subject = subject(millis::get);

    List<Long> counts = inParallel(8, 1000, () -> fixed(subject, 1));

    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 8000).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed_window", "sliding_window", "gcra"})
  void add_byManyCallersOfOneKey_admitsExactlyTheLimit(String algorithm) throws Exception {
    CounterSubject subject = subject(millis::get);

    List<Long> counts = inParallel(8, 200, () -> add(subject, "k", "day", algorithm, 777, 1));

    assertThat(counts).filteredOn(count -> count <= 777).hasSize(777).doesNotHaveDuplicates();
  }

  private long fixed(CounterSubject subject, long hits) {
    return add(subject, "k", "minute", "fixed_window", 10, hits);
  }

  private long add(
      CounterSubject subject, String key, String unit, String algorithm, long limit, long hits) {
    CompletableFuture<Long> count =
        subject.add(key, unit, algorithm, limit, hits, millis.get()).toCompletableFuture();
    try {
      return count.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the backend returned no count", e);
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
}
