package io.heatshield.store;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.stats.MemoryPressure;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link GuardedStore}. By default hot reads are served from memory, reads of absent keys
 * are answered by a filter, and the limit on writes only observes. Not thread-safe.
 *
 * <pre>{@code
 * GuardedStore store =
 *     GuardedStore.over(engine)
 *         .writeLimit(Mode.ENFORCE, 10, Duration.ofSeconds(1))
 *         .maxMemory(64 << 20)
 *         .build();
 * }</pre>
 */
public final class StoreBuilder {
  private static final int GROUP_FACTOR = 2;

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

  /** Sets all options; {@link StoreOptions#of} by default. Further calls change single ones. */
  public StoreBuilder options(StoreOptions guards) {
    options = Objects.requireNonNull(guards, "guards");
    return this;
  }

  /** Sets the name of the store, which is the scope of its keys; {@code main} by default. */
  public StoreBuilder name(String name) {
    options = options.named(Objects.requireNonNull(name, "name"));
    return this;
  }

  /**
   * Sets the maximum memory in bytes of filter, hot values and counts, and of the data if the
   * engine keeps it in memory; at least 1 MiB, 1 GiB by default.
   */
  public StoreBuilder maxMemory(long bytes) {
    options = options.maxMemory(bytes);
    return this;
  }

  /**
   * Limits the writes of each key.
   *
   * @param perWindow the writes of a key that are allowed in the window; with 0 none is
   * @param window at least 8 ms; hot reads are counted in the same window
   */
  public StoreBuilder writeLimit(Mode mode, long perWindow, Duration window) {
    RingShape ring = options.ring() == null ? RingShape.standard() : options.ring();
    options =
        options
            .with(ring.window(window))
            .with(new StoreOptions.WriteLimit(mode, perWindow, 0, GROUP_FACTOR));
    return this;
  }

  /**
   * Serves keys that are read often from memory; enforced by default.
   *
   * @param threshold the reads of a key in the window, 2 s by default, from which it is kept
   */
  public StoreBuilder hotReads(Mode mode, long threshold) {
    StoreOptions.HotReads before = options.hotReads();
    options =
        options.with(
            new StoreOptions.HotReads(mode, threshold, before.cooldown(), before.maxStale()));
    return this;
  }

  /** Answers reads of absent keys by a filter; enforced for 1,000,000 keys by default. */
  public StoreBuilder absentKeys(Mode mode, long expectedItems) {
    options = options.with(StoreOptions.Filter.of(mode, expectedItems));
    return this;
  }

  /**
   * States that others write to the engine, too: the filter then only observes, and no value from
   * memory is older than this time.
   */
  public StoreBuilder sharedWriters(Duration maxStale) {
    StoreOptions.HotReads before = options.hotReads();
    options =
        options
            .withSharedWriters()
            .with(
                new StoreOptions.HotReads(
                    before.mode(), before.threshold(), before.cooldown(), maxStale));
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
