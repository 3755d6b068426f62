package io.heatshield.data.store;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.RedisSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.hash.HashSecret;
import io.heatshield.micrometer.StoreMetrics;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.MachineName;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.StructureEngine;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.store.redis.RedisEngine;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a server, in the order of its file.
 *
 * <p>Opened once and closed once; any thread may call the other methods. Calls that may block on a
 * disk run on separate threads, so that event loops may use any store.
 */
public final class ServerStores {
  private static final int DISK_THREADS = Math.max(4, Runtime.getRuntime().availableProcessors());
  private static final int MAX_WAITING = 10_000;
  private static final Duration FAILED_START = Duration.ofSeconds(1);

  private final Map<String, GuardedStore> stores = new LinkedHashMap<>();
  private final Map<String, StoreSettings> settings = new LinkedHashMap<>();
  private final ExecutorService disk = diskThreads();

  private ServerStores() {}

  /**
   * Opens all stores.
   *
   * @param secret the secret of the hash function; saved filters are valid only for it
   * @throws IOException if one of them cannot be opened; all are closed then
   */
  public static ServerStores open(
      Settings settings, HashSecret secret, Savings savings, Ticker ticker, Metrics metrics)
      throws IOException {
    var opened = new ServerStores();
    try {
      for (StoreSettings store : settings.openStores()) {
        opened.open(store, settings.redis(), secret, savings, ticker, metrics);
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      try {
        opened.close(FAILED_START);
      } catch (IllegalStateException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Returns a store by its name. */
  public Optional<GuardedStore> find(String name) {
    return Optional.ofNullable(stores.get(name));
  }

  /** Returns all stores by name. */
  public Map<String, GuardedStore> all() {
    return Collections.unmodifiableMap(stores);
  }

  /** Returns the settings that a store was opened with. */
  public Optional<StoreSettings> settings(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** Applies the live settings. */
  public void retune(Settings next) {
    for (StoreSettings changed : next.stores()) {
      GuardedStore store = stores.get(changed.name());
      if (store != null) {
        store.retune(StoreOptionsMapper.settings(changed, store.options().maxMemory(), null));
      }
    }
  }

  /**
   * Closes all stores in parallel and waits until the deadline: a store whose engine does not
   * return from a call does not prevent the others from saving their data.
   *
   * @throws IllegalStateException if a store could not be closed in time
   */
  public void close(Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos() / 10 * 9;
    Map<String, CompletableFuture<Void>> closing = new LinkedHashMap<>();
    stores.forEach((name, store) -> closing.put(name, closing(name, store)));
    var faults = new ArrayList<String>();
    closing.forEach(
        (name, closed) -> {
          try {
            closed.orTimeout(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS).join();
          } catch (CompletionException e) {
            faults.add("store " + name + ": " + reason(e.getCause()));
          }
        });
    disk.shutdown();
    if (!faults.isEmpty()) {
      throw new IllegalStateException(String.join(", ", faults));
    }
  }

  private static CompletableFuture<Void> closing(String name, GuardedStore store) {
    return CompletableFuture.runAsync(store::close, task -> daemon(task, "close " + name).start());
  }

  private static String reason(@Nullable Throwable failure) {
    return failure instanceof TimeoutException
        ? "a call to its engine does not end, so it was not closed"
        : String.valueOf(failure);
  }

  private void open(
      StoreSettings store,
      RedisSettings redis,
      HashSecret secret,
      Savings savings,
      Ticker ticker,
      Metrics metrics)
      throws IOException {
    String at = "stores[" + store.name() + "]";
    try {
      Engine engine = engine(store, redis);
      StoreOptions options =
          StoreOptionsMapper.settings(store, budget(store).guard(), snapshot(store));
      GuardedStore opened;
      try {
        opened =
            GuardedStore.over(engine)
                .options(options)
                .secret(secret)
                .savings(savings)
                .ticker(ticker)
                .executor(disk)
                .build();
      } catch (RuntimeException e) {
        engine.close();
        throw e;
      }
      stores.put(store.name(), opened);
      settings.put(store.name(), store);
      metrics.bind(new StoreMetrics(opened, store.name()));
    } catch (StoreException | IllegalArgumentException e) {
      throw new IOException(at + ": " + e.getMessage(), e);
    }
  }

  private static Engine engine(StoreSettings store, RedisSettings redis) {
    long memory = store.maxMemory().bytes();
    EngineBudget budget = budget(store);
    return switch (store.engine()) {
      case MEMORY -> new MemoryEngine(budget.data());
      case ROCKSDB -> {
        RocksOptions options =
            RocksOptions.in(Objects.requireNonNull(store.path()))
                .blockCache(budget.blocks())
                .writeBuffer(budget.writeBuffer())
                .spreadOver(store.routing().hotBuckets());
        boolean salvage = store.recover() == StoreSettings.Recover.SALVAGE;
        Engine rocks = RocksEngine.open(salvage ? options.salvaging() : options);
        yield new StructureEngine(rocks, reader(memory), budget.structures());
      }
      case REDIS -> {
        RedisUrl url = Objects.requireNonNull(redis.url()).named(MachineName.ofConnection("store"));
        Redis client = Redis.builder(url).budget(redis.timeout()).open();
        Engine strings = new RedisEngine(client, store.writers() == Writers.SHARED, store.prefix());
        yield new StructureEngine(strings, reader(memory), 0);
      }
    };
  }

  /** Returns a reader of data structures that are at most as large as the store. */
  private static StructureEngine.Reader reader(long memory) {
    return (tag, form) -> StructureKind.read(tag, form, memory);
  }

  private static EngineBudget budget(StoreSettings store) {
    return EngineBudget.of(store.engine(), store.maxMemory().bytes());
  }

  private static @Nullable Path snapshot(StoreSettings store) {
    Path path = store.path();
    return path == null ? null : path.resolveSibling(path.getFileName() + ".filter");
  }

  private static Thread daemon(Runnable task, String name) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static ExecutorService diskThreads() {
    var number = new AtomicInteger();
    return new ThreadPoolExecutor(
        DISK_THREADS,
        DISK_THREADS,
        1,
        TimeUnit.MINUTES,
        new ArrayBlockingQueue<>(MAX_WAITING),
        task -> daemon(task, "store disk " + number.incrementAndGet()));
  }
}
