package io.heatshield.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers reads of hot keys from memory, and lets concurrent reads of one key share one call.
 *
 * <p>What is served was in the engine when its load began or later, and no write of this store that
 * was acknowledged before the read began is missed. With other writers nothing older than {@code
 * max_stale} is served, and nothing at all while their changes are not told.
 */
final class HotReads {
  /*
   * A key is loaded by at most one flight that others may join. A write takes the flight off the board before it drops
   * what is kept, and a flight that lands keeps its value only while it is on the board, both in one step of the board's
   * map: so what began to be read before a write is never kept after it, and nobody joins it then. Pinned by
   * HotReadsTest.
   */
  private static final int ENTRY_BYTES = 200;
  private static final int LOAD_EVERY = 4;

  private final HotRing ring;
  private final Action keeping;
  private final Action joining;
  private final Tally tally;
  private final Engine engine;
  private final Ticker ticker;
  private final LongSupplier clock;
  private final boolean shared;
  private final Function<Key, CompletionStage<@Nullable Value>> loader;
  private final Elsewhere elsewhere;
  private final Cache<Key, Kept> cache;
  private final Map<Key, CompletableFuture<@Nullable Value>> flights = new ConcurrentHashMap<>();
  private volatile StoreOptions.HotReads options;

  HotReads(
      Parts parts,
      HotRing ring,
      Engine engine,
      long maxBytes,
      Function<Key, CompletionStage<@Nullable Value>> loader,
      Elsewhere elsewhere) {
    this.ring = ring;
    this.elsewhere = elsewhere;
    this.engine = engine;
    this.loader = loader;
    this.options = parts.options().hotReads();
    this.shared = parts.options().sharedWriters();
    this.keeping = parts.action("hot_reads", options.mode());
    this.joining = parts.action("flights", options.mode());
    this.tally = parts.tally();
    this.ticker = parts.ticker();
    this.clock = parts.clock();
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .<Key, Kept>weigher(
                (key, kept) ->
                    (int)
                        Math.min(
                            Integer.MAX_VALUE,
                            (long) ENTRY_BYTES + key.bytes().length + kept.value.bytes().length))
            .executor(Runnable::run)
            .build();
  }

  void retune(StoreOptions.HotReads next) {
    options = next;
    keeping.mode(next.mode());
    joining.mode(next.mode());
    if (next.mode() == Mode.OFF) {
      dropAll();
    }
  }

  boolean isOn() {
    return keeping.mode() != Mode.OFF;
  }

  CompletionStage<@Nullable Value> get(byte[] bytes, long hash) {
    var key = new Key(bytes, hash);
    Value kept = kept(key);
    if (kept != null) {
      return CompletableFuture.completedFuture(kept);
    }
    var flight = new CompletableFuture<@Nullable Value>();
    CompletableFuture<@Nullable Value> running = flights.putIfAbsent(key, flight);
    if (running == null) {
      return fly(key, flight);
    }
    if (joining.apply(1)) {
      tally.flightsJoined.increment();
      return running.thenApply(value -> touched(key, value));
    }
    return Stages.then(loader.apply(key), value -> touched(key, value));
  }

  /** Returns what is kept of a key if it may be served, and counts the use. */
  @Nullable Value kept(Key key) {
    Kept kept = cache.getIfPresent(key);
    if (kept == null) {
      return null;
    }
    long age = ticker.nanos() - kept.loadedNanos;
    long life = lifeNanos();
    if (age >= life || isEnded(kept.value)) {
      cache.asMap().remove(key, kept);
      return null;
    }
    if (!mayServe() || !keeping.apply(1)) {
      return null;
    }
    tally.cacheHits.increment();
    long count = ring.touchHashed(key.hash(), key.bytes());
    if (age > life - (life >> 2) && count >= options.threshold()) {
      loadAhead(key);
    }
    return kept.value;
  }

  /**
   * Counts a key that a scan came across, and loads it if it is hot and not kept: at the threshold,
   * and at every fourth touch past it, so that one that cannot be kept is not loaded at each.
   */
  void scanned(byte[] bytes, long hash) {
    if (!isOn()) {
      return;
    }
    long count = ring.touchHashed(hash, bytes);
    long least = elsewhere.holds(bytes, hash) ? 1 : options.threshold();
    if (count >= least && (count - least) % LOAD_EVERY == 0 && mayServe()) {
      var key = new Key(bytes, hash);
      if (!cache.asMap().containsKey(key)) {
        loadAhead(key);
      }
    }
  }

  /** Counts a key that was read past the cache. */
  void touch(byte[] bytes, long hash) {
    ring.touchHashed(hash, bytes);
  }

  /** Forgets a key because it was written. */
  void drop(Key key) {
    flights.remove(key);
    cache.invalidate(key);
  }

  void dropAll() {
    flights.clear();
    cache.invalidateAll();
  }

  /** Throws out what may not be served any more. */
  void clean() {
    long now = ticker.nanos();
    long life = lifeNanos();
    cache.asMap().values().removeIf(kept -> now - kept.loadedNanos >= life);
    cache.cleanUp();
  }

  long bytes() {
    return cache.policy().eviction().map(eviction -> eviction.weightedSize().orElse(0)).orElse(0L);
  }

  long maxBytes() {
    return cache.policy().eviction().map(eviction -> eviction.getMaximum()).orElse(0L);
  }

  void maxBytes(long bytes) {
    cache.policy().eviction().ifPresent(eviction -> eviction.setMaximum(bytes));
    cache.cleanUp();
  }

  HotRing ring() {
    return ring;
  }

  private void loadAhead(Key key) {
    var flight = new CompletableFuture<@Nullable Value>();
    if (flights.putIfAbsent(key, flight) == null) {
      long began = ticker.nanos();
      loader
          .apply(key)
          .whenComplete(
              (value, failure) -> {
                land(key, flight, value, began, true);
                complete(flight, value, failure);
              });
    }
  }

  private CompletionStage<@Nullable Value> fly(Key key, CompletableFuture<@Nullable Value> flight) {
    long began = ticker.nanos();
    CompletionStage<@Nullable Value> load;
    try {
      load = loader.apply(key);
    } catch (RuntimeException e) {
      load = CompletableFuture.failedFuture(e);
    }
    if (Stages.isAnswered(load)) {
      landed(key, flight, load.toCompletableFuture().join(), null, began);
    } else {
      load.whenComplete((value, failure) -> landed(key, flight, value, failure, began));
    }
    return flight;
  }

  private void landed(
      Key key,
      CompletableFuture<@Nullable Value> flight,
      @Nullable Value value,
      @Nullable Throwable failure,
      long began) {
    boolean hot =
        value != null
            && (ring.touchHashed(key.hash(), key.bytes()) >= options.threshold()
                || elsewhere.holds(key.bytes(), key.hash()));
    land(key, flight, value, began, hot);
    complete(flight, value, failure);
  }

  private void land(
      Key key,
      CompletableFuture<@Nullable Value> flight,
      @Nullable Value value,
      long began,
      boolean hot) {
    if (hot && value != null && mayServe()) {
      flights.computeIfPresent(
          key,
          (k, present) -> {
            if (present != flight) {
              return present;
            }
            cache.put(key, new Kept(value, began));
            return null;
          });
    } else {
      flights.remove(key, flight);
    }
  }

  private @Nullable Value touched(Key key, @Nullable Value value) {
    if (value != null) {
      ring.touchHashed(key.hash(), key.bytes());
    }
    return value;
  }

  private boolean mayServe() {
    return !shared || engine.tellsForeignChanges();
  }

  private boolean isEnded(Value value) {
    return value.expires() && value.isExpired(clock.getAsLong());
  }

  private long lifeNanos() {
    StoreOptions.HotReads now = options;
    long cooldown = now.cooldown().toNanos();
    return shared ? Math.min(cooldown, now.maxStale().toNanos()) : cooldown;
  }

  private static void complete(
      CompletableFuture<@Nullable Value> flight,
      @Nullable Value value,
      @Nullable Throwable failure) {
    if (failure == null) {
      flight.complete(value);
    } else {
      flight.completeExceptionally(failure);
    }
  }

  /** A value, and when its load began. */
  private record Kept(Value value, long loadedNanos) {}
}
