package io.heatshield.cli.demo;

import io.heatshield.cli.demo.load.DemoKeys;
import io.heatshield.cli.demo.load.LoadMeter;
import io.heatshield.cli.demo.store.BoundedStore;
import io.heatshield.cli.demo.store.RedisStore;
import io.heatshield.cli.demo.store.StoreUnderTest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The environment of a demo: a store with data, and the request rates. */
public final class DemoStage implements AutoCloseable {
  private final StoreUnderTest store;
  private final DemoKeys keys;
  private final DemoRates rates;
  private final LoadMeter others;

  private DemoStage(StoreUnderTest store, DemoKeys keys, DemoRates rates, LoadMeter others) {
    this.store = store;
    this.keys = keys;
    this.rates = rates;
    this.others = others;
  }

  /**
   * Starts the embedded store, or connects to a Redis, and stores the users' keys.
   *
   * @param redis the address of a Redis, or null for the embedded store
   */
  public static DemoStage open(@Nullable String redis) throws IOException {
    return open(redis, DemoRates.defaults());
  }

  static DemoStage open(@Nullable String redis, DemoRates rates) throws IOException {
    var others = new LoadMeter();
    var keys = new DemoKeys(redis == null ? "" : DemoKeys.REDIS_PREFIX);
    StoreUnderTest store =
        redis == null
            ? BoundedStore.start(rates.capacity())
            : RedisStore.open(redis, others::sentCount);
    store.fill(keys.users(), DemoKeys.USERS, DemoKeys.value());
    store.put(keys.viral(), DemoKeys.value());
    return new DemoStage(store, keys, rates, others);
  }

  /** Returns the address of the store. */
  public String url() {
    return store.url();
  }

  /** Returns a description of the store. */
  public String describe() {
    return store.describe();
  }

  StoreUnderTest store() {
    return store;
  }

  DemoKeys keys() {
    return keys;
  }

  DemoRates rates() {
    return rates;
  }

  /** Returns the meter of the other users' clients. */
  LoadMeter others() {
    return others;
  }

  @Override
  public void close() {
    store.close();
  }
}
