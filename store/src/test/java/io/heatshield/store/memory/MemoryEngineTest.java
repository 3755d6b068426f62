package io.heatshield.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.redisbloom.Structure;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.StructureValues;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class MemoryEngineTest {

  @Test
  void put_ofANewKey_notifiesOnceBeforeItIsVisible() {
    var engine = new MemoryEngine(1 << 20);
    byte[] key = bytes("k");
    var told = new ArrayList<Long>();
    LongConsumer isNew = hash -> told.add(engine.find(key, 7) == null ? hash : -1);

    engine.put(key, 7, bytes("1"), isNew);
    engine.put(key, 7, bytes("2"), isNew);

    assertThat(told).containsExactly(7L);
    assertThat(engine.find(key, 7)).isEqualTo(Value.of("2"));
  }

  @Test
  void hashBy_ofAnEngineThatHoldsKeys_findsThemByTheNewHash() {
    var engine = new MemoryEngine(1 << 20);
    for (int i = 0; i < 1000; i++) {
      engine.apply(Batch.of(bytes("k" + i), Value.of("v" + i))).toCompletableFuture().join();
    }
    long before = engine.bytes();
    KeyHash hash = KeyHash.fast(HashSecret.random());

    engine.hashBy(hash);

    for (int i = 0; i < 1000; i++) {
      byte[] key = bytes("k" + i);
      assertThat(engine.find(key, hash.hash(key))).isEqualTo(Value.of("v" + i));
    }
    assertThat(engine.size().toCompletableFuture().join()).isEqualTo(1000);
    assertThat(engine.bytes()).isEqualTo(before);
  }

  @Test
  void apply_overTheMemoryLimit_isRejectedAndChangesNothing() {
    var engine = new MemoryEngine(1000);
    Batch fits = Batch.of(bytes("a"), Value.of("x".repeat(500)));
    engine.apply(fits).toCompletableFuture().join();
    long before = engine.bytes();

    assertThatThrownBy(
            () ->
                engine
                    .apply(Batch.of(bytes("b"), Value.of("x".repeat(500))))
                    .toCompletableFuture()
                    .join())
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("memory is full");

    assertThat(engine.bytes()).isEqualTo(before);
    assertThat(engine.get(bytes("b")).toCompletableFuture().join()).isNull();
    engine.apply(Batch.of(bytes("a"), null)).toCompletableFuture().join();
    assertThat(engine.bytes()).isZero();
  }

  @Test
  void bytes_ofAStructureThatGrowsInPlace_followItsWeightAndGoWithIt() {
    var engine = new MemoryEngine(1 << 20);
    var structure = new Growing();
    Value small = StructureValues.of((byte) 1, structure);
    engine.apply(Batch.of(bytes("k"), small)).toCompletableFuture().join();
    long before = engine.bytes();

    structure.size += 8000;
    engine
        .apply(Batch.of(bytes("k"), StructureValues.with(small, structure)))
        .toCompletableFuture()
        .join();
    assertThat(engine.bytes()).isEqualTo(before + 8000);

    engine.apply(Batch.of(bytes("k"), null)).toCompletableFuture().join();
    assertThat(engine.bytes()).isZero();
  }

  @Test
  void get_onTheCallingThread_isCompleteWhenItReturns() {
    try (GuardedStore store = GuardedStore.over(new MemoryEngine(1 << 20)).build()) {
      assertThat(store.put(bytes("k"), bytes("v")).toCompletableFuture()).isCompleted();
      assertThat(store.get(bytes("k")).toCompletableFuture()).isCompleted();
      assertThat(store.increment(bytes("n"), 1).toCompletableFuture()).isCompleted();
      assertThat(store.delete(bytes("k")).toCompletableFuture()).isCompleted();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A structure that is as large as the test says. */
  private static final class Growing implements Structure {
    private long size = 800;

    @Override
    public long bytes() {
      return size;
    }

    @Override
    public byte[] toBytes() {
      return new byte[0];
    }

    @Override
    public Structure copy() {
      return this;
    }
  }
}
