package io.heatshield.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of an engine that are made through a store(). */
abstract class StoreContract extends EngineSuite {

  /** Creates the suite. */
  StoreContract() {}

  @Test
  void get_keyNeverPut_isEmpty() {
    assertThat(store().get("k")).isEmpty();
    assertThat(store().exists("k")).isFalse();
    assertThat(store().ttl("k")).isEqualTo(-2);
  }

  @Test
  void get_afterPut_returnsTheValue() {
    store().put("k", "v");

    assertThat(store().get("k")).contains("v");
    assertThat(store().exists("k")).isTrue();
    assertThat(store().ttl("k")).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\r\nb", "\u0000", "$-1\r\n", "\u00fc\u4e16"})
  void put_anyBytes_areStoredUnchanged(String text) {
    store().put("key " + text, text);

    assertThat(store().get("key " + text)).contains(text);
    assertThat(store().scan(10)).containsExactly("key " + text);
  }

  @Test
  void put_largeValue_isStored() {
    String large = "x".repeat(1_000_000);

    store().put("k", large);

    assertThat(store().get("k")).contains(large);
  }

  @Test
  void put_again_replacesValueAndTtl() {
    store().put("k", "old", Duration.ofHours(1));

    store().put("k", "new");

    assertThat(store().get("k")).contains("new");
    assertThat(store().ttl("k")).isEqualTo(-1);
    assertThat(store().size()).isEqualTo(1);
  }

  @Test
  void put_withCondition_writesOnlyIfItIsMet() {
    boolean present = store().put("k", "a", Condition.IF_PRESENT);
    boolean absent = store().put("k", "b", Condition.IF_ABSENT);
    boolean absentAgain = store().put("k", "c", Condition.IF_ABSENT);
    boolean presentNow = store().put("k", "d", Condition.IF_PRESENT);

    assertThat(List.of(present, absent, absentAgain, presentNow))
        .containsExactly(false, true, false, true);
    assertThat(store().get("k")).contains("d");
  }

  @Test
  void delete_presentAndAbsentKey_returnsWhetherItWasPresent() {
    store().put("k", "v");

    assertThat(store().delete("k")).isTrue();
    assertThat(store().delete("k")).isFalse();
    assertThat(store().get("k")).isEmpty();
    assertThat(store().size()).isZero();
  }

  @Test
  void get_afterExpiry_isEmptyAndTheKeyIsAbsent() {
    store().put("k", "v", Duration.ofMillis(500));
    long before = store().ttl("k");

    elapse(Duration.ofMillis(501));

    assertThat(before).isBetween(1L, 500L);
    assertThat(store().get("k")).isEmpty();
    assertThat(store().exists("k")).isFalse();
    assertThat(store().delete("k")).isFalse();
    assertThat(store().scan(10)).isEmpty();
    assertThat(store().put("k", "w", Condition.IF_ABSENT)).isTrue();
    assertThat(store().get("k")).contains("w");
  }

  @Test
  void expire_setAndRemoved_appliesTheLastCall() {
    store().put("k", "v");

    boolean set = store().expire("k", Duration.ofHours(1));
    long ttl = store().ttl("k");
    boolean persisted = store().expire("k", Duration.ZERO);

    assertThat(set).isTrue();
    assertThat(ttl).isBetween(Duration.ofMinutes(59).toMillis(), Duration.ofHours(1).toMillis());
    assertThat(persisted).isTrue();
    assertThat(store().ttl("k")).isEqualTo(-1);
    assertThat(store().get("k")).contains("v");
    assertThat(store().expire("absent", Duration.ofHours(1))).isFalse();
  }

  @Test
  void increment_numberTextOrOverflow_addsOrReturnsTheReason() {
    store().put("text", "x");
    store().put("edge", Long.toString(Long.MAX_VALUE));

    assertThat(store().increment("n", 5)).isEqualTo("5");
    assertThat(store().increment("n", -7)).isEqualTo("-2");
    assertThat(store().increment("text", 1)).isEqualTo("NOT_A_NUMBER");
    assertThat(store().increment("edge", 1)).isEqualTo("OVERFLOW");
    assertThat(store().get("edge")).contains(Long.toString(Long.MAX_VALUE));
    assertThat(store().get("n")).contains("-2");
  }

  @Test
  void increment_valueWithTtl_keepsTheTtl() {
    store().put("n", "1", Duration.ofHours(1));

    store().increment("n", 1);

    assertThat(store().ttl("n")).isPositive();
  }

  @Test
  void getAll_someKeysAbsent_returnsValuesInOrder() {
    store().put("a", "1");
    store().put("c", "3");

    assertThat(store().getAll(List.of("a", "b", "c", "a")))
        .containsExactly(Optional.of("1"), Optional.empty(), Optional.of("3"), Optional.of("1"));
  }

  @Test
  void scan_manyKeys_returnsAllOfThem() {
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      keys.add("key:" + i);
      store().put("key:" + i, "v");
    }

    assertThat(store().scan(7)).isEqualTo(keys);
    assertThat(store().size()).isEqualTo(500);
  }

  @Test
  void clear_withKeys_deletesAll() {
    store().put("a", "1");
    store().put("b", "2");

    store().clear();

    assertThat(store().size()).isZero();
    assertThat(store().get("a")).isEmpty();
    assertThat(store().put("a", "3", Condition.IF_ABSENT)).isTrue();
  }

  @Test
  void putAllIfNoneExists_oneExists_changesNothing() {
    store().put("{t}b", "old");

    boolean done = store().putAllIfNoneExists(Map.of("{t}a", "1", "{t}b", "2"));

    assertThat(done).isFalse();
    assertThat(store().get("{t}a")).isEmpty();
    assertThat(store().get("{t}b")).contains("old");
    assertThat(store().putAllIfNoneExists(Map.of("{t}c", "1", "{t}d", "2"))).isTrue();
    assertThat(store().getAll(List.of("{t}c", "{t}d")))
        .containsExactly(Optional.of("1"), Optional.of("2"));
  }

  @Test
  void increment_byManyThreads_losesNoUpdate() throws Exception {
    inParallel(4, () -> IntStream.range(0, 250).forEach(i -> store().increment("n", 1)));

    assertThat(store().get("n")).contains("1000");
  }

  @Test
  void appendAll_byManyThreads_changesBothKeysTheSameWay() throws Exception {
    inParallel(
        4,
        () ->
            IntStream.range(0, 50)
                .forEach(i -> store().appendAll(Map.of("{t}a", "x", "{t}b", "x"))));

    assertThat(store().get("{t}a")).contains("x".repeat(200));
    assertThat(store().get("{t}b")).contains("x".repeat(200));
  }

  @Test
  void putAndDelete_byManyThreads_leaveTheLastState() throws Exception {
    inParallel(
        4,
        () ->
            IntStream.range(0, 200)
                .forEach(
                    i -> {
                      store().put("k" + (i % 5), "v");
                      store().delete("k" + (i % 5));
                    }));

    assertThat(store().scan(10)).isEmpty();
    IntStream.range(0, 5).forEach(i -> store().put("k" + i, "last"));
    assertThat(IntStream.range(0, 5).mapToObj(i -> store().get("k" + i)))
        .containsOnly(Optional.of("last"));
  }

  private static void inParallel(int threads, Runnable work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      Callable<Boolean> call =
          () -> {
            work.run();
            return true;
          };
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(call));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } finally {
      pool.shutdown();
    }
  }
}
