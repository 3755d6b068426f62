package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.time.FakeTicker;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NearWayTest {
  private static final byte[] KEY = bytes("k");
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private GuardedStore store = store(1 << 20, StoreOptions.of("near"));

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void findAndSet_areWhatGetAndPutAre() {
    assertThat(store.find(KEY)).isNull();

    long wait = store.set(KEY, bytes("1"));

    assertThat(wait).isZero();
    assertThat(store.find(KEY)).isEqualTo(now(store.get(KEY))).isEqualTo(Value.of("1"));
    now(store.put(KEY, Value.of("2").until(2_000_000), Condition.ALWAYS));
    assertThat(store.find(KEY)).isNotNull();
    millis.set(2_000_000);
    assertThat(store.find(KEY)).isNull();
    assertThat(store.set(KEY, bytes("3"))).isZero();
    assertThat(now(store.ttl(KEY))).isEqualTo(GuardedStore.NO_TTL);
  }

  @Test
  void set_pastTheLimit_saysHowLongToWaitAndChangesNothing() {
    store.close();
    store =
        store(
            1 << 20,
            StoreOptions.of("near").with(new StoreOptions.WriteLimit(Mode.ENFORCE, 2, 0, 2)));
    long first = store.set(KEY, bytes("1"));
    long second = store.set(KEY, bytes("2"));

    long third = store.set(KEY, bytes("3"));

    assertThat(first + second).isZero();
    assertThat(third).isBetween(1L, 2000L);
    assertThat(store.find(KEY)).isEqualTo(Value.of("2"));
    assertThat(store.stats().clampedWrites()).isEqualTo(1);
  }

  @Test
  void set_thatFindsNoRoom_leavesFilterAndStampsAsIfItHadNotBeen() {
    store.close();
    store = store(300, StoreOptions.of("near"));
    store.maintain();
    store.set(KEY, bytes("x"));

    assertThatThrownBy(() -> store.set(bytes("large"), bytes("x".repeat(500))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("full");

    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(1);
    assertThat(store.find(bytes("large"))).isNull();
    assertThat(store.find(KEY)).isEqualTo(Value.of("x"));
  }

  @Test
  void set_ofNewKeys_putsEachInTheFilterExactlyOnce() {
    store.maintain();

    for (int i = 0; i < 2_000; i++) {
      store.set(bytes("k" + i % 1_000), bytes("v"));
    }

    FilterReport filter = store.filter().orElseThrow();
    assertThat(filter.complete()).isTrue();
    assertThat(filter.stats().size()).isEqualTo(1_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(store.find(bytes("k" + i))).isNotNull();
    }
  }

  @Test
  void set_ofAWatchedKey_changesItsStamp() {
    store.set(KEY, bytes("1"));
    long before = now(store.stamp(KEY));

    store.set(KEY, bytes("1"));

    assertThat(now(store.stamp(KEY))).isNotEqualTo(before);
  }

  @Test
  void fetch_ofKeys_changesAndCountsNothing() {
    store.set(KEY, bytes("v"));
    byte[][] keys = {KEY, bytes("none"), KEY};
    long[] hashes = {
      store.hash().hash(KEY), store.hash().hash(bytes("none")), store.hash().hash(KEY)
    };
    StoreStats before = store.stats();

    int read = store.fetch(keys, hashes, 3, false);
    int written = store.fetch(keys, hashes, 2, true);

    assertThat(read).isEqualTo(2);
    assertThat(written).isEqualTo(1);
    assertThat(store.stats()).isEqualTo(before);
  }

  @Test
  void isNear_ofAStoreThatIsClosedOrFar_isFalse() {
    GuardedStore far = GuardedStore.over(TestEngine.local()).withoutUpkeep().build();
    assertThat(store.isNear()).isTrue();

    store.close();

    assertThat(store.isNear()).isFalse();
    assertThat(far.isNear()).isFalse();
    assertThat(far.fetch(new byte[][] {KEY}, new long[] {1}, 1, true)).isZero();
    assertThatThrownBy(() -> store.find(KEY)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> far.set(KEY, KEY)).isInstanceOf(IllegalStateException.class);
    far.close();
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
