package io.heatshield.store.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine that forwards to another one what its subclass does not override. */
abstract class ForwardingEngine implements Engine {
  final Engine engine;

  ForwardingEngine(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Location location() {
    return engine.location();
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return engine.scan(cursor, count);
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    engine.forEachKey(sink);
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    return engine.expired(nowMillis, max);
  }

  @Override
  public CompletionStage<Long> size() {
    return engine.size();
  }

  @Override
  public long estimatedSize() {
    return engine.estimatedSize();
  }

  @Override
  public long sequence() {
    return engine.sequence();
  }

  @Override
  public long bytes() {
    return engine.bytes();
  }

  @Override
  public long room() {
    return engine.room();
  }

  @Override
  public void onForeignChange(Consumer<byte @Nullable []> listener) {
    engine.onForeignChange(listener);
  }

  @Override
  public boolean reportsForeignChanges() {
    return engine.reportsForeignChanges();
  }

  @Override
  public boolean supportsRouting() {
    return engine.supportsRouting();
  }

  @Override
  public long moves() {
    return engine.moves();
  }

  @Override
  public List<byte[]> routedKeys(int max) {
    return engine.routedKeys(max);
  }

  @Override
  public void unroute(byte[] key) {
    engine.unroute(key);
  }

  @Override
  public EngineFaults faults() {
    return engine.faults();
  }

  @Override
  public void maintain() {
    engine.maintain();
  }
}
