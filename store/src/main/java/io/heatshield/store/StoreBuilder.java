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

/** The settings of a {@link GuardedStore}. Not for several threads. */
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

  /** Sets what guards the store; {@link StoreOptions#of} unless set. */
  public StoreBuilder options(StoreOptions guards) {
    options = guards;
    return this;
  }

  /**
   * Sets the secret that keys are hashed with; a random one unless set. A filter that was kept in a
   * file is of use only under the same one.
   */
  public StoreBuilder secret(HashSecret hashSecret) {
    secret = hashSecret;
    return this;
  }

  /** Sets what windows and ages are measured by; the JVM's unless set. */
  public StoreBuilder ticker(Ticker source) {
    ticker = source;
    return this;
  }

  /** Sets the source of Unix time in milliseconds; the system's unless set. */
  public StoreBuilder clock(LongSupplier unixMillis) {
    clock = unixMillis;
    return this;
  }

  /** Sets the ledger in which the store's actions stand; one of its own unless set. */
  public StoreBuilder savings(Savings ledger) {
    savings = ledger;
    return this;
  }

  /** Sets who is told when memory passes 80, 90 and 95 %, by the thread of the store's upkeep. */
  public StoreBuilder onPressure(Consumer<MemoryPressure> listener) {
    pressure = listener;
    return this;
  }

  /**
   * Sets who makes the calls to an engine that {@linkplain Engine#blocks blocks}; the calling
   * thread unless set. Answers that need no engine come on the calling thread either way.
   */
  public StoreBuilder executor(Executor blocking) {
    executor = blocking;
    return this;
  }

  /** Starts no thread for the store's upkeep: the caller calls {@link GuardedStore#maintain}. */
  public StoreBuilder withoutUpkeep() {
    upkeep = false;
    return this;
  }

  /** Returns the store, which closes the engine when it is closed. */
  public GuardedStore build() {
    return new GuardedStore(this);
  }
}
