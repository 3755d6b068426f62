package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link GuardedStore}. Not for several threads. */
public final class StoreBuilder {
  final Engine engine;
  KeyHash hash = KeyHash.fast(HashSecret.random());
  LongSupplier clock = System::currentTimeMillis;
  @Nullable Executor executor;

  StoreBuilder(Engine engine) {
    this.engine = engine;
  }

  /** Sets the function that keys are hashed with; one with a random secret unless set. */
  public StoreBuilder hash(KeyHash keyHash) {
    hash = keyHash;
    return this;
  }

  /** Sets the source of Unix time in milliseconds; the system's unless set. */
  public StoreBuilder clock(LongSupplier unixMillis) {
    clock = unixMillis;
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

  /** Returns the store, which closes the engine when it is closed. */
  public GuardedStore build() {
    return new GuardedStore(this);
  }
}
