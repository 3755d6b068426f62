package io.heatshield.store;

import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.call.CallWatch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.Value;
import io.heatshield.store.lock.LockedStripes;
import io.heatshield.store.lock.QueuedStripes;
import io.heatshield.store.lock.Stripes;
import io.heatshield.time.Ticker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that all parts of one store share.
 *
 * @param options the options that the store was opened with
 * @param secret the secret that keys are hashed with
 * @param clock Unix time in milliseconds
 * @param guard the state that its protections share
 * @param engine the storage
 * @param calls makes the calls to the engine
 * @param stripes serializes the writes of a key
 * @param stamps numbers that change when a key changes
 */
record StoreContext(
    StoreOptions options,
    HashSecret secret,
    LongSupplier clock,
    GuardContext guard,
    Engine engine,
    EngineCalls calls,
    Stripes stripes,
    Stamps stamps) {

  private static final Logger log = System.getLogger(GuardedStore.class.getName());

  static StoreContext of(StoreBuilder from) {
    Engine engine = from.engine;
    String name = from.options.name();
    var guard =
        new GuardContext(
            name,
            from.secret,
            from.ticker,
            from.savings,
            new FleetHotKeys(KeyHash.fast(from.secret)),
            warning -> log.log(Level.WARNING, "store " + name + ": " + warning));
    return new StoreContext(
        from.options,
        from.secret,
        from.clock,
        guard,
        engine,
        new EngineCalls(engine, new CallWatch(from.ticker), engine.blocks() ? from.executor : null),
        engine.location().isLocal() ? new LockedStripes() : new QueuedStripes(),
        new Stamps(engine.location().isLocal()));
  }

  String name() {
    return options.name();
  }

  KeyHash hash() {
    return guard.hash();
  }

  Ticker ticker() {
    return guard.ticker();
  }

  /** Returns a value unless its time to live has ended. */
  @Nullable Value live(@Nullable Value value) {
    return value == null || isExpired(value) ? null : value;
  }

  boolean isExpired(Value value) {
    return value.expires() && value.isExpired(clock.getAsLong());
  }
}
