package io.heatshield.contract;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Engine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens an engine for each test, and a store over it without protections. */
abstract class EngineSuite {
  private final AtomicLong elapsedMillis = new AtomicLong();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Engine engine;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private TextStore store;

  /** Creates the suite. */
  EngineSuite() {}

  /** Returns an engine without keys, which the suite closes. Called once for each test. */
  protected abstract Engine engine() throws Exception;

  /**
   * Returns another engine on the data of the first one, as another process has it, or nothing if
   * there can be no other writers, which is the default.
   */
  protected Optional<Engine> otherWriter() throws Exception {
    return Optional.empty();
  }

  /**
   * Returns a new engine on the data of the one that was closed, or nothing if the data is lost
   * with the engine, which is the default.
   */
  protected Optional<Engine> reopen() throws Exception {
    return Optional.empty();
  }

  @BeforeEach
  final void open() throws Exception {
    engine = engine();
    store =
        new TextStore(
            GuardedStore.over(engine)
                .options(StoreOptions.of("contract").unguarded())
                .clock(this::nowMillis)
                .withoutUpkeep()
                .build());
  }

  @AfterEach
  final void close() {
    store.close();
  }

  /** Returns the store of the running test, which has no protections. */
  protected final TextStore store() {
    return store;
  }

  /** Returns the engine of the running test. */
  final Engine opened() {
    return engine;
  }

  /** Returns the time of the store. */
  final long nowMillis() {
    return System.currentTimeMillis() + elapsedMillis.get();
  }

  /** Lets time pass: that of the store, or the real one for an engine with a clock of its own. */
  final void elapse(Duration time) {
    if (!engine.removesExpired()) {
      elapsedMillis.addAndGet(time.toMillis());
      return;
    }
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
