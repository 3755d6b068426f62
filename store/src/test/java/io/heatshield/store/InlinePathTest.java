package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import io.heatshield.testkit.time.FakeTicker;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InlinePathTest {
  private static final byte[] KEY = bytes("k");
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private GuardedStore store = store(1 << 20, StoreOptions.of("near"));

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void getAndSet_comparedWithGetAndPutOfTheStore_areEqual() {
    assertThat(get(KEY)).isNull();

    long wait = set(KEY, bytes("1"));

    assertThat(wait).isZero();
    assertThat(get(KEY)).isEqualTo(now(store.get(KEY))).isEqualTo(Value.of("1"));
    now(store.put(KEY, Value.of("2").until(2_000_000), Condition.ALWAYS));
    assertThat(get(KEY)).isNotNull();
    millis.set(2_000_000);
    assertThat(get(KEY)).isNull();
    assertThat(set(KEY, bytes("3"))).isZero();
    assertThat(now(store.ttl(KEY))).isEqualTo(GuardedStore.NO_TTL);
  }

  @Test
  void set_overTheLimit_returnsTheTimeToWaitAndChangesNothing() {
    store.close();
    store =
        store(
            1 << 20,
            StoreOptions.of("near").with(new StoreOptions.WriteLimit(Mode.ENFORCE, 2, 0, 2)));
    long first = set(KEY, bytes("1"));
    long second = set(KEY, bytes("2"));

    long third = set(KEY, bytes("3"));

    assertThat(first + second).isZero();
    assertThat(third).isBetween(1L, 2000L);
    assertThat(get(KEY)).isEqualTo(Value.of("2"));
    assertThat(store.stats().clampedWrites()).isEqualTo(1);
  }

  @Test
  void set_withoutRoom_doesNotChangeFilterAndStamps() {
    store.close();
    store = store(300, StoreOptions.of("near"));
    store.maintain();
    set(KEY, bytes("x"));

    assertThatThrownBy(() -> set(bytes("large"), bytes("x".repeat(500))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("full");

    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(1);
    assertThat(get(bytes("large"))).isNull();
    assertThat(get(KEY)).isEqualTo(Value.of("x"));
  }

  @Test
  void set_ofNewKeys_putsEachInTheFilterExactlyOnce() {
    store.maintain();

    for (int i = 0; i < 2_000; i++) {
      set(bytes("k" + i % 1_000), bytes("v"));
    }

    FilterReport filter = store.filter().orElseThrow();
    assertThat(filter.complete()).isTrue();
    assertThat(filter.stats().size()).isEqualTo(1_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(get(bytes("k" + i))).isNotNull();
    }
  }

  @Test
  void set_ofAWatchedKey_changesItsStamp() {
    set(KEY, bytes("1"));
    long before = now(store.stamp(KEY));

    set(KEY, bytes("1"));

    assertThat(now(store.stamp(KEY))).isNotEqualTo(before);
  }

  @Test
  void fetch_ofKeys_changesAndCountsNothing() {
    set(KEY, bytes("v"));
    byte[][] keys = {KEY, bytes("none"), KEY};
    long[] hashes = {
      store.hash().hash(KEY), store.hash().hash(bytes("none")), store.hash().hash(KEY)
    };
    StoreStats before = store.stats();

    int read = store.inline().orElseThrow().fetch(keys, hashes, 3, false);
    int written = store.inline().orElseThrow().fetch(keys, hashes, 2, true);

    assertThat(read).isEqualTo(2);
    assertThat(written).isEqualTo(1);
    assertThat(store.stats()).isEqualTo(before);
  }

  @Test
  void inline_ofAStoreThatIsClosedOrHasAnotherEngine_isEmpty() {
    GuardedStore far = GuardedStore.over(TestEngine.local()).withoutUpkeep().build();
    boolean open = store.inline().isPresent();

    store.close();

    assertThat(open).isTrue();
    assertThat(store.inline()).isEmpty();
    assertThat(far.inline()).isEmpty();
    far.close();
  }

  private @Nullable Value get(byte[] key) {
    return store.inline().orElseThrow().get(key, store.hash().hash(key));
  }

  private long set(byte[] key, byte[] bytes) {
    return store.inline().orElseThrow().set(key, store.hash().hash(key), bytes);
  }

  private GuardedStore store(long engineBytes, StoreOptions options) {
    return GuardedStore.over(new MemoryEngine(engineBytes))
        .options(options)
        .ticker(ticker::nanos)
        .clock(millis::get)
        .withoutUpkeep()
        .build();
  }
}
