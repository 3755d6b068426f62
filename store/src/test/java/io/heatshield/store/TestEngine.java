package io.heatshield.store;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.ChangeReports;
import io.heatshield.store.engine.ChangeSequence;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ExpirySweep;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.memory.MemoryEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A memory engine that counts its calls, can be delayed and can fail, with caching enabled. */
public final class TestEngine
    implements Engine, ExpirySweep, ChangeSequence, ChangeReports, KeyRouting {
  final AtomicLong gets = new AtomicLong();
  final AtomicLong batches = new AtomicLong();
  final AtomicLong sequence = new AtomicLong();
  private final MemoryEngine memory = new MemoryEngine(1 << 30);
  private final boolean local;
  public volatile boolean reporting = true;
  public volatile @Nullable CompletableFuture<Void> gate;
  public volatile @Nullable CompletableFuture<Void> batchGate;
  public volatile @Nullable StoreException failure;
  public volatile @Nullable StoreException readFailure;
  public volatile @Nullable StoreException clearFailure;
  public volatile @Nullable StoreException sweepFailure;
  public volatile boolean failsOnce;
  public volatile boolean blocking;
  public volatile Runnable whileScanning = () -> {};
  public volatile Runnable beforeOneGet = () -> {};
  public volatile Consumer<byte @Nullable []> listener = key -> {};

  TestEngine(boolean local) {
    this.local = local;
  }

  /** Returns an engine that the store alone writes to. */
  public static TestEngine local() {
    return new TestEngine(true);
  }

  /** Returns an engine that others write to, and whose answers may come later. */
  public static TestEngine remote() {
    return new TestEngine(false);
  }

  /** Writes as another process would. */
  void writeAsOther(byte[] key, @Nullable Value value) {
    memory.apply(Batch.of(key, value)).toCompletableFuture().join();
    listener.accept(key);
  }

  @Override
  public Location location() {
    return local ? Location.DISK : Location.REMOTE;
  }

  @Override
  public boolean blocks() {
    return blocking;
  }

  @Override
  public long moves() {
    return 0;
  }

  @Override
  public List<byte[]> routedKeys(int max) {
    return List.of();
  }

  @Override
  public void unroute(byte[] key) {}

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    gets.incrementAndGet();
    Runnable before = beforeOneGet;
    beforeOneGet = () -> {};
    before.run();
    CompletableFuture<Void> held = gate;
    CompletionStage<@Nullable Value> answer = memory.get(key);
    return held == null ? answer : held.thenCompose(open -> answer);
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    gets.addAndGet(keys.size());
    StoreException fails = readFailure;
    if (fails != null) {
      return CompletableFuture.failedFuture(fails);
    }
    return memory.getAll(keys);
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    batches.incrementAndGet();
    StoreException fails = failure;
    if (fails != null) {
      failure = failsOnce ? null : fails;
      return CompletableFuture.failedFuture(fails);
    }
    CompletableFuture<Void> held = batchGate;
    if (held != null) {
      return held.thenCompose(open -> made(batch));
    }
    return made(batch);
  }

  private CompletionStage<Boolean> made(Batch batch) {
    for (Batch.Expected expected : batch.expected()) {
      Value now = memory.get(expected.key()).toCompletableFuture().join();
      if (now == null ? expected.value() != null : !now.equals(expected.value())) {
        return CompletableFuture.completedFuture(false);
      }
    }
    sequence.incrementAndGet();
    return memory.apply(batch);
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return memory.scan(cursor, count);
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    memory.forEachKey(
        key -> {
          whileScanning.run();
          return sink.test(key);
        });
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    StoreException fails = sweepFailure;
    if (fails != null) {
      throw fails;
    }
    return memory.expired(nowMillis, max);
  }

  @Override
  public CompletionStage<Long> size() {
    return memory.size();
  }

  @Override
  public CompletionStage<Void> clear() {
    sequence.incrementAndGet();
    StoreException fails = clearFailure;
    return fails == null
        ? memory.clear()
        : memory.clear().thenCompose(gone -> CompletableFuture.failedFuture(fails));
  }

  @Override
  public long sequence() {
    return sequence.get();
  }

  @Override
  public void onForeignChange(Consumer<byte @Nullable []> told) {
    listener = told;
  }

  @Override
  public boolean reportsForeignChanges() {
    return reporting;
  }

  @Override
  public void close() {}
}
