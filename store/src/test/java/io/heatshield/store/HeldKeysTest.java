package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeldKeysTest {
  private static final long SEED = 62;

  private final HashSecret secret = HashSecret.of(new byte[16]);
  private final KeyHash hash = KeyHash.fast(secret);

  @Test
  void contains_afterAnyOrderOfChanges_saysOnlyWhatIsHeld() {
    var held = new HeldKeys(KeyHash.sip13(secret), 1 << 20);
    Set<Integer> model = new HashSet<>();
    var random = new SplittableRandom(SEED);

    for (int i = 0; i < 200_000; i++) {
      int key = random.nextInt(20_000);
      if (random.nextInt(3) == 0) {
        model.remove(key);
        held.remove(bytes("k" + key), hash(key));
      } else {
        model.add(key);
        held.add(bytes("k" + key), hash(key));
      }
    }

    int known = 0;
    for (int key = 0; key < 20_000; key++) {
      boolean says = held.contains(bytes("k" + key), hash(key));
      assertThat(says && !model.contains(key)).as("key %d, seed %d", key, SEED).isFalse();
      known += says ? 1 : 0;
    }
    assertThat(known).isGreaterThan(model.size() * 9 / 10);
  }

  @Test
  void contains_ofAKeyWithTheSameFirstHash_isFalse() {
    var held = new HeldKeys(KeyHash.sip13(secret), 1 << 20);

    held.add(bytes("one"), 7);

    assertThat(held.contains(bytes("one"), 7)).isTrue();
    assertThat(held.contains(bytes("other"), 7)).isFalse();
  }

  @Test
  void add_pastTheBound_takesThePlaceOfOthersAndNoMoreMemory() {
    var held = new HeldKeys(KeyHash.sip13(secret), 1 << 16);

    for (int key = 0; key < 50_000; key++) {
      held.add(bytes("k" + key), hash(key));
    }

    assertThat(held.bytes()).isEqualTo(1 << 16);
    assertThat(held.contains(bytes("k49999"), hash(49_999))).isTrue();
    held.fit(0);
    held.add(bytes("k1"), hash(1));
    assertThat(held.bytes()).isZero();
    assertThat(held.contains(bytes("k1"), hash(1))).isFalse();
  }

  @Test
  void put_ofAKeyThatIsKnownToBeHeld_doesNotAskTheEngine() {
    TestEngine engine = TestEngine.local();
    for (int i = 0; i < 1000; i++) {
      now(engine.apply(Batch.of(bytes("k" + i), Value.of("v"))));
    }
    GuardedStore store = store(engine);
    store.maintain();
    long before = engine.gets.get();

    for (int i = 0; i < 1000; i++) {
      now(store.put(bytes("k" + i), bytes("again")));
    }

    assertThat(engine.gets.get() - before).isZero();
    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(1000);
    assertThat(store.stats().filterBytes()).isGreaterThan(16_000);
  }

  @Test
  void put_ofAKeyThatWasDeletedWhileItWasWalkedOver_isFound() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine);
    now(store.put(bytes("k"), bytes("v")));
    engine.whileScanning = () -> now(store.delete(bytes("k")));
    store.maintain();
    engine.whileScanning = () -> {};

    now(store.put(bytes("k"), bytes("back")));

    assertThat(store.filter().orElseThrow().complete()).isTrue();
    assertThat(now(store.get(bytes("k")))).isNotNull();
  }

  @Test
  void put_afterDeletionsAndClear_isFoundAndInTheFilterOnce() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine);
    store.maintain();
    var random = new SplittableRandom(SEED);
    for (int i = 0; i < 5000; i++) {
      byte[] key = bytes("k" + random.nextInt(300));
      if (random.nextInt(3) == 0) {
        now(store.delete(key));
      } else {
        now(store.put(key, bytes("v")));
        assertThat(now(store.get(key))).as("seed %d", SEED).isNotNull();
      }
    }
    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(now(engine.size()));

    now(store.clear());
    now(store.put(bytes("k1"), bytes("v")));

    assertThat(now(store.get(bytes("k1")))).isNotNull();
    assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(1);
  }

  @Test
  void put_afterOneThatMayHaveHappened_asksTheEngine() {
    TestEngine engine = TestEngine.local();
    GuardedStore store = store(engine);
    store.maintain();
    now(store.put(bytes("k"), bytes("v")));
    engine.failure = new StoreException(StoreException.Reason.UNAVAILABLE, "perhaps");
    assertThat(store.put(bytes("k"), bytes("w")).toCompletableFuture()).isCompletedExceptionally();
    engine.failure = null;
    long before = engine.gets.get();

    now(store.put(bytes("k"), bytes("x")));

    assertThat(engine.gets.get() - before).isEqualTo(1);
  }

  private GuardedStore store(TestEngine engine) {
    return GuardedStore.over(engine)
        .options(StoreOptions.of("held").with(StoreOptions.Filter.of(Mode.ENFORCE, 2000)))
        .secret(secret)
        .withoutUpkeep()
        .build();
  }

  private long hash(int key) {
    return hash.hash(bytes("k" + key));
  }
}
