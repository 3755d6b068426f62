package io.heatshield.store.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A decorator of an engine: forwards all calls that its subclass does not override.
 *
 * <p>It has the capabilities of the engine below, which are then called directly, except {@link
 * InlineCalls}: they would bypass what the subclass does in {@link #get} and {@link #apply}. A
 * subclass that implements a capability itself replaces that of the engine below. One that changes
 * keys must do that, or override {@link #capability} to hide what passes keys.
 */
public abstract class ForwardingEngine implements Engine {
  private final Engine engine;

  /** Creates a decorator of an engine, which it closes. */
  protected ForwardingEngine(Engine engine) {
    this.engine = engine;
  }

  /** Returns the engine below. */
  protected final Engine engine() {
    return engine;
  }

  @Override
  public Location location() {
    return engine.location();
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return engine.get(key);
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return engine.getAll(keys);
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    return engine.apply(batch);
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
  public CompletionStage<Long> size() {
    return engine.size();
  }

  @Override
  public long estimatedSize() {
    return engine.estimatedSize();
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine.clear();
  }

  @Override
  public boolean blocks() {
    return engine.blocks();
  }

  @Override
  public boolean removesExpired() {
    return engine.removesExpired();
  }

  @Override
  public void maintain() {
    engine.maintain();
  }

  @Override
  public <T> Optional<T> capability(Class<T> type) {
    if (type.isInstance(this)) {
      return Optional.of(type.cast(this));
    }
    return type == InlineCalls.class ? Optional.empty() : engine.capability(type);
  }

  @Override
  public void close() {
    engine.close();
  }
}
