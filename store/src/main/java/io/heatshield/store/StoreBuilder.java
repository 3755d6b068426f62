package io.heatshield.store;

import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.stats.MemoryPressure;
import io.heatshield.time.Ticker;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link GuardedStore}. Not thread-safe. */
public final class StoreBuilder {
  final Engine engine;
  StoreOptions options = StoreOptions.of("main");
  HashSecret secret = HashSecret.random();
  Ticker ticker = Ticker.system();
  LongSupplier clock = System::currentTimeMillis;
  Savings savings = new Savings();
  Consumer<MemoryPressure> pressure = none -> {};
  @Nullable Executor executor;
  boolean upkeep = true;

  StoreBuilder(Engine engine) {
    this.engine = engine;
  }

  /** Sets the options; {@link StoreOptions#of} by default. */
  public StoreBuilder options(StoreOptions guards) {
    options = guards;
    return this;
  }

  /**
   * Sets the secret that keys are hashed with; a random one by default. A filter that was stored in
   * a file is valid only with the same secret.
   */
  public StoreBuilder secret(HashSecret hashSecret) {
    secret = hashSecret;
    return this;
  }

  /** Sets the ticker for windows and ages; the JVM's by default. */
  public StoreBuilder ticker(Ticker source) {
    ticker = source;
    return this;
  }

  /** Sets the source of Unix time in milliseconds; the system clock by default. */
  public StoreBuilder clock(LongSupplier unixMillis) {
    clock = unixMillis;
    return this;
  }

  /** Sets where the savings of the store are recorded; its own ledger by default. */
  public StoreBuilder savings(Savings ledger) {
    savings = ledger;
    return this;
  }

  /** Sets a listener for memory above 80, 90 and 95 %, called by the maintenance thread. */
  public StoreBuilder onPressure(Consumer<MemoryPressure> listener) {
    pressure = listener;
    return this;
  }

  /**
   * Sets the executor for calls to an engine that {@linkplain Engine#blocks blocks}; the calling
   * thread by default. Calls that do not need the engine complete on the calling thread.
   */
  public StoreBuilder executor(Executor blocking) {
    executor = blocking;
    return this;
  }

  /** Starts no maintenance thread: the caller calls {@link GuardedStore#maintain}. */
  public StoreBuilder withoutUpkeep() {
    upkeep = false;
    return this;
  }

  /** Returns the store, which closes the engine when it is closed. */
  public GuardedStore build() {
    return new GuardedStore(this);
  }
}
