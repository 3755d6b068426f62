package io.heatshield.filter;

import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.hash.HashSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Usage scenarios of a filter, including invalid settings and abuse by an attacker. */
class FilterScenariosTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @Test
  void contains_halfFullFilterAtOnePercent_keepsTheRate() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(1_000)
            .falsePositiveRate(0.01)
            .build();
    for (int i = 0; i < 500; i++) {
      assertThat(filter.add("key-" + i)).isEqualTo(AddResult.ADDED);
    }

    int positives = 0;
    for (int i = 500; i < 10_500; i++) {
      positives += filter.mightContain("key-" + i) ? 1 : 0;
    }

    assertThat(positives).isLessThanOrEqualTo(100);
    assertThat(filter.stats().size()).isEqualTo(500);
    assertThat(filter.load()).isBetween(0.4, 0.5);
  }

  @Test
  void add_halfMoreKeysThanExpected_acceptsTheExpectedAndLosesNone() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(100)
            .falsePositiveRate(0.01)
            .build();

    var accepted = new ArrayList<String>();
    for (int i = 0; i < 150; i++) {
      if (filter.add("k" + i).accepted()) {
        accepted.add("k" + i);
      }
    }

    assertThat(accepted).hasSizeGreaterThanOrEqualTo(100).allMatch(filter::mightContain);
    assertThat(filter.size()).isEqualTo(accepted.size()).isLessThanOrEqualTo(filter.capacity());
    assertThat(filter.stats().refused()).isEqualTo(150 - accepted.size());
  }

  @Test
  void add_tenThreadsWithAHundredKeysEach_storesAThousand() throws Exception {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(10_000)
            .falsePositiveRate(0.01)
            .build();

    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < 10; thread++) {
      String mine = "t" + thread + "-";
      tasks.add(
          () -> {
            for (int i = 0; i < 100; i++) {
              accepted(filter.add(mine + i));
            }
            return null;
          });
    }
    onThreads(tasks);

    assertThat(filter.size()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1, 2, Double.NaN, Double.POSITIVE_INFINITY})
  void build_invalidRate_throws(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .falsePositiveRate(rate)
                    .build())
        .withMessageContaining("falsePositiveRate must be above 0 and below 1: " + rate);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 9})
  void build_invalidBucketSize_throws(int slots) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .bucketSize(slots)
                    .build())
        .withMessageContaining("bucketSize must be 1 to 8: " + slots);
  }

  @Test
  void remove_keysThatWereNotAddedAtFullLoad_changesNothing() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(5_000)
            .fingerprintBits(4)
            .build();
    var accepted = new ArrayList<Long>();
    var keys = new SplittableRandom(1);
    for (int refused = 0; refused < 100; ) {
      long key = keys.nextLong();
      if (filter.add(key).accepted()) {
        accepted.add(key);
      } else {
        refused++;
      }
    }
    long size = filter.size();

    var never = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      assertThat(filter.remove(never.nextLong(), () -> false))
          .isIn(RemoveResult.ABSENT, RemoveResult.NOT_OWNED);
    }

    assertThat(filter.size()).isEqualTo(size);
    assertThat(accepted).allMatch(filter::mightContain);
  }

  @Test
  void contains_whileAChainGrowsAndKeysAreDeleted_findsEveryStoredKey() throws Exception {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(1_000)
            .falsePositiveRate(0.01)
            .growth(Growth.CHAIN)
            .build();
    long[] stored = new SplittableRandom(1).longs(900).toArray();
    for (long key : stored) {
      assertThat(filter.add(key).accepted()).isTrue();
    }
    var writers = new AtomicInteger(2);
    var missed = new AtomicInteger();

    List<Callable<Void>> tasks = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      var mine = new SplittableRandom(10 + writer);
      tasks.add(
          () -> {
            for (int i = 0; i < 10_000; i++) {
              long key = mine.nextLong();
              missed.addAndGet(filter.add(key).accepted() && !filter.mightContain(key) ? 1 : 0);
              if (i % 3 == 0) {
                filter.remove(key, () -> true);
              }
            }
            writers.decrementAndGet();
            return null;
          });
    }
    tasks.add(
        () -> {
          while (writers.get() > 0) {
            for (long key : stored) {
              missed.addAndGet(filter.mightContain(key) ? 0 : 1);
            }
          }
          return null;
        });
    onThreads(tasks);

    assertThat(missed).hasValue(0);
    assertThat(filter.stats().subFilters()).isGreaterThan(2);
  }

  private static void onThreads(List<Callable<Void>> tasks) throws Exception {
    var threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
