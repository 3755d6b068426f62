package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HeldKeysTest {
  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[16]));
  private final HeldKeys held = new HeldKeys(1 << 20);

  @Test
  void has_ofAKeyThatWasFound_isTrueUntilItIsTakenOut() {
    held.found(key(1), hashOf(1), held.epoch(hashOf(1)));
    boolean before = held.has(key(1), hashOf(1));

    held.removed(hashOf(1));

    assertThat(before).isTrue();
    assertThat(held.has(key(2), hashOf(2))).isFalse();
    assertThat(held.has(key(1), hashOf(1))).isFalse();
  }

  @Test
  void found_byOneWhoAskedBeforeTheKeyWasTakenOut_saysNothing() {
    int epoch = held.epoch(hashOf(1));
    int[] epochs = held.epochs();
    held.removed(hashOf(1));

    held.found(key(1), hashOf(1), epoch);
    held.found(key(1), hashOf(1), epochs[HeldKeys.epochOf(hashOf(1))]);

    assertThat(held.has(key(1), hashOf(1))).isFalse();
  }

  @Test
  void has_afterAllWereCleared_isFalse() {
    held.found(key(1), hashOf(1), held.epoch(hashOf(1)));

    held.cleared();

    assertThat(held.has(key(1), hashOf(1))).isFalse();
  }

  @Test
  void found_ofMoreKeysThanFit_growsToItsBoundAndForgets() {
    int keys = 1 << 17;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < keys; i++) {
        held.found(key(i), hashOf(i), held.epoch(hashOf(i)));
      }
    }

    int known = 0;
    int strangers = 0;
    for (int i = 0; i < keys; i++) {
      known += held.has(key(i), hashOf(i)) ? 1 : 0;
      strangers += held.has(key(keys + i), hashOf(keys + i)) ? 1 : 0;
    }
    assertThat(held.bytes()).isEqualTo(1 << 20);
    assertThat(known).isBetween(1 << 15, 1 << 16);
    assertThat(strangers).isZero();
  }

  @Test
  void put_ofAKeyThatWasReadOrPut_doesNotAskTheEngine() {
    TestEngine engine = TestEngine.local();
    engine.writeAsOther(key(1), Value.of("old"));
    try (GuardedStore store = store(engine)) {
      store.maintain();
      store.put(key(2), new byte[1]).toCompletableFuture().join();
      long asked = engine.gets.get();

      store.put(key(1), new byte[1]).toCompletableFuture().join();
      store.put(key(2), new byte[2]).toCompletableFuture().join();

      assertThat(engine.gets).hasValue(asked);
      assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(2);
    }
  }

  @Test
  void put_afterADeletionThatARunningReadDidNotSee_putsTheKeyIntoTheFilter() {
    TestEngine engine = TestEngine.local();
    try (GuardedStore store = store(engine)) {
      store.maintain();
      store.put(key(1), new byte[1]).toCompletableFuture().join();
      var gate = new CompletableFuture<Void>();
      engine.gate = gate;
      var late = store.get(key(1)).toCompletableFuture();
      engine.gate = null;
      store.delete(key(1)).toCompletableFuture().join();
      gate.complete(null);

      store.put(key(1), new byte[1]).toCompletableFuture().join();

      assertThat(late.join()).isNotNull();
      assertThat(store.check(key(1)).toCompletableFuture().join().filterSaysPresent()).isTrue();
      assertThat(store.filter().orElseThrow().stats().size()).isEqualTo(1);
    }
  }

  private static GuardedStore store(TestEngine engine) {
    return GuardedStore.over(engine)
        .options(
            StoreOptions.of("held").unguarded().with(StoreOptions.Filter.of(Mode.ENFORCE, 1000)))
        .withoutUpkeep()
        .build();
  }

  private static byte[] key(int number) {
    return ("key-" + number).getBytes(StandardCharsets.UTF_8);
  }

  private long hashOf(int number) {
    return hash.hash(key(number));
  }
}
