package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.stats.StoreStats;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GuardedStoreTest {
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);

  @Test
  void answers_inObserve_areThoseOfOffAndCountTheActionsOfEnforce() {
    var off = new Trial(Mode.OFF);
    var observe = new Trial(Mode.OBSERVE);
    var enforce = new Trial(Mode.ENFORCE);

    for (int i = 0; i < 400; i++) {
      off.step(i);
      observe.step(i);
      enforce.step(i);
    }

    assertThat(observe.answers).isEqualTo(off.answers);
    assertThat(observe.engine.gets.get()).isGreaterThanOrEqualTo(off.engine.gets.get());
    assertThat(observe.would("absence")).isPositive();
    assertThat(observe.would("absence")).isEqualTo(enforce.did("absence"));
    assertThat(observe.would("hot_reads")).isPositive();
    assertThat(observe.would("clamp")).isPositive().isEqualTo(enforce.did("clamp"));
    assertThat(off.would("absence") + off.did("absence")).isZero();
    assertThat(enforce.engine.gets.get()).isLessThan(off.engine.gets.get());
  }

  @Test
  void clock_thatJumpsAnHourEitherWay_expiresOnlyKeysWithTtl() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("clock"));
    store.maintain();
    now(store.put(bytes("stays"), bytes("v")));
    now(store.put(bytes("ends"), bytes("v"), Duration.ofMinutes(1)));

    millis.addAndGet(Duration.ofHours(1).toMillis());
    boolean ended = !now(store.exists(bytes("ends")));
    store.maintain();
    millis.addAndGet(-Duration.ofHours(2).toMillis());
    now(store.put(bytes("later"), bytes("v"), Duration.ofMinutes(1)));

    assertThat(ended).isTrue();
    assertThat(now(store.exists(bytes("stays")))).isTrue();
    assertThat(now(store.exists(bytes("ends")))).isFalse();
    assertThat(now(store.ttl(bytes("later")))).isEqualTo(60_000);
    assertThat(store.stats().disagreements()).isZero();
  }

  @Test
  void memory_underPressure_isReportedAndStaysWithinItsLimitWithNoKeyLost() {
    var told = new ArrayList<Integer>();
    TestEngine engine = TestEngine.local();
    GuardedStore store =
        GuardedStore.over(engine)
            .options(
                StoreOptions.of("small")
                    .maxMemory(1 << 20)
                    .with(StoreOptions.Filter.of(Mode.ENFORCE, 5000))
                    .with(
                        new StoreOptions.HotReads(
                            Mode.ENFORCE, 1, Duration.ofHours(1), Duration.ofHours(1))))
            .ticker(ticker::nanos)
            .onPressure(pressure -> told.add(pressure.percent()))
            .withoutUpkeep()
            .build();
    store.maintain();

    for (int i = 0; i < 3000; i++) {
      now(store.put(bytes("k" + i), new byte[i < 120 ? 15_000 : 10]));
      now(store.get(bytes("k" + (i % 120))));
      store.maintain();
    }

    assertThat(told).contains(80, 90);
    StoreStats stats = store.stats();
    assertThat(stats.cacheBytes()).isLessThanOrEqualTo((1 << 20) / 100 * 90L);
    assertThat(stats.filterBytes() + stats.cacheBytes() + stats.ringBytes())
        .isLessThanOrEqualTo(1 << 20);
    for (int i = 0; i < 3000; i++) {
      assertThat(now(store.exists(bytes("k" + i)))).isTrue();
    }
  }

  @Test
  void stamp_ofAKey_changesWithEveryChangeOfIt() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("stamps"));
    byte[] key = bytes("k");

    long absent = now(store.stamp(key));
    long stillAbsent = now(store.stamp(key));
    now(store.put(key, bytes("v"), Duration.ofMillis(5)));
    long put = now(store.stamp(key));
    millis.addAndGet(5);
    long ended = now(store.stamp(key));

    assertThat(stillAbsent).isEqualTo(absent);
    assertThat(List.of(absent, put, ended)).doesNotHaveDuplicates();
  }

  @Test
  void stamp_afterTheStoreWasCleared_changesOnlyIfTheKeyExisted() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("cleared"));
    byte[] absent = bytes("absent");
    byte[] held = bytes("held");
    now(store.put(held, bytes("v")));
    long absentBefore = now(store.stamp(absent));
    long heldBefore = now(store.stamp(held));

    now(store.clear());
    long absentAfter = now(store.stamp(absent));
    long heldAfter = now(store.stamp(held));
    now(store.put(held, bytes("v")));
    long heldAgain = now(store.stamp(held));

    assertThat(absentAfter).isEqualTo(absentBefore);
    assertThat(List.of(heldBefore, heldAfter, heldAgain)).doesNotHaveDuplicates();
  }

  @Test
  void stamp_ofAnExpiredValue_staysWhenItIsDeleted() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("ended"));
    byte[] key = bytes("k");
    now(store.put(key, bytes("v"), Duration.ofMillis(5)));
    long live = now(store.stamp(key));
    millis.addAndGet(5);
    long ended = now(store.stamp(key));

    store.maintain();
    long swept = now(store.stamp(key));
    now(store.delete(key));
    long deleted = now(store.stamp(key));
    now(store.put(key, bytes("v")));
    now(store.delete(key));

    assertThat(store.stats().expired()).isEqualTo(1);
    assertThat(List.of(swept, deleted)).containsOnly(ended);
    assertThat(live).isNotEqualTo(ended);
    assertThat(now(store.stamp(key))).isNotEqualTo(ended);
  }

  @Test
  void stamp_ofAnAbsentKey_changesWhenItWasPutAndDeleted() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("moments"));
    byte[] key = bytes("k");

    long absent = now(store.stamp(key));
    now(store.update(List.of(key), view -> view.delete(key)));
    long deleted = now(store.stamp(key));
    now(
        store.update(
            List.of(key),
            view -> {
              boolean free = view.get(key) == null;
              view.put(key, Value.of("v").until(millis.get()));
              return free;
            }));
    long ended = now(store.stamp(key));
    now(
        store.update(
            List.of(key),
            view -> {
              view.put(key, Value.of("v"));
              return view.delete(key);
            }));
    long gone = now(store.stamp(key));

    assertThat(deleted).isEqualTo(absent);
    assertThat(List.of(absent, ended, gone)).doesNotHaveDuplicates();
    assertThat(now(store.exists(key))).isFalse();
  }

  @Test
  void update_thatThrows_changesNothingAndFailsTheCall() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("throws"));
    byte[] key = bytes("k");

    assertThatThrownBy(
            () ->
                now(
                    store.update(
                        List.of(key),
                        view -> {
                          view.put(key, Value.of("v"));
                          throw new IllegalStateException("no");
                        })))
        .hasRootCauseMessage("no");

    assertThat(now(store.exists(key))).isFalse();
    assertThat(now(store.put(key, bytes("w"))).answer()).isTrue();
  }

  @Test
  void update_ofAKeyThatWasNotNamed_isRejected() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("names"));

    assertThatThrownBy(
            () -> now(store.update(List.of(bytes("a")), view -> view.delete(bytes("b")))))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyCall_afterClose_fails() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("closed"));
    store.close();
    store.close();

    assertThatThrownBy(() -> now(store.put(bytes("k"), bytes("v"))))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CLOSED));
  }

  @Test
  void key_thatIsTooLong_isRefused() {
    GuardedStore store = store(TestEngine.local(), StoreOptions.of("long"));

    assertThatThrownBy(() -> store.get(new byte[65_537]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536");
  }

  @Test
  void executor_forAnEngineThatBlocks_isNotUsedForOneThatDoesNot() {
    var pool = Executors.newSingleThreadExecutor();
    GuardedStore store =
        GuardedStore.over(TestEngine.local()).executor(pool).withoutUpkeep().build();
    pool.shutdown();

    assertThat(store.get(bytes("k")).toCompletableFuture()).isCompleted();
  }

  private GuardedStore store(TestEngine engine, StoreOptions options) {
    return GuardedStore.over(engine)
        .options(options)
        .ticker(ticker::nanos)
        .clock(millis::get)
        .withoutUpkeep()
        .build();
  }

  /** One stream of calls on a store in one mode, and what was answered. */
  private final class Trial {
    final TestEngine engine = TestEngine.local();
    final Savings savings = new Savings();
    final List<@Nullable String> answers = new ArrayList<>();
    private final GuardedStore store;

    Trial(Mode mode) {
      store =
          GuardedStore.over(engine)
              .options(
                  StoreOptions.of("trial")
                      .with(StoreOptions.Filter.of(mode, 1000))
                      .with(
                          new StoreOptions.HotReads(
                              mode, 3, Duration.ofHours(1), Duration.ofHours(1)))
                      .with(new StoreOptions.WriteLimit(mode, 5, 0, 2))
                      .with(new StoreOptions.Routing(mode, 3, 4, RingShape.routing())))
              .savings(savings)
              .ticker(ticker::nanos)
              .withoutUpkeep()
              .build();
      store.maintain();
    }

    void step(int i) {
      byte[] key = bytes("k" + (i % 4));
      if (i % 10 == 0) {
        answers.add(String.valueOf(now(store.put(key, bytes("v" + i))).answer()));
      } else if (i % 10 == 5) {
        now(store.get(bytes("absent" + i)));
      } else {
        Value value = store.get(key).toCompletableFuture().join();
        answers.add(value == null ? null : value.text());
      }
    }

    long would(String action) {
      return all().getOrDefault(action, new long[2])[0];
    }

    long did(String action) {
      return all().getOrDefault(action, new long[2])[1];
    }

    private Map<String, long[]> all() {
      var counts = new TreeMap<String, long[]>();
      for (Action.Snapshot action : savings.snapshot()) {
        counts.put(action.name(), new long[] {action.wouldHaveApplied(), action.applied()});
      }
      return counts;
    }
  }
}
