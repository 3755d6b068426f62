package io.heatshield.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.time.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
   * A key is loaded by at most one flight that others may join. A write drops the flight from the board before it drops
   * what is kept, and a flight that lands keeps its value only if it was not dropped, see Board: so what began to be read
   * before a write is never kept after it, and nobody joins it then. Pinned by HotReadsTest.
   *
   * What can be known before the engine is asked is asked before: the engine takes the caches for itself, and an object
   * that is met again after it is a miss. See ADR-0063.
   */
  private static final int ENTRY_BYTES = 200;
  private static final int LOAD_EVERY = 4;

  private final GatedRing reads;
  private final Action keeping;
  private final Action joining;
  private final Tally tally;
  private final Engine engine;
  private final Ticker ticker;
  private final LongSupplier clock;
  private final boolean shared;
  private final Loader loader;
  private final Elsewhere elsewhere;
  private final Cache<Key, Kept> cache;
  private final Board board = new Board();
  private volatile StoreOptions.HotReads options;

  /** That of the options, one step nearer. */
  private volatile long threshold;

  /**
   * Whether anything is kept, so that a read need not look; of a value kept at the same moment it
   * may say so only after the next {@link #clean}.
   */
  private volatile boolean keeps;

  HotReads(
      Parts parts,
      GatedRing reads,
      Engine engine,
      long maxBytes,
      Loader loader,
      Elsewhere elsewhere) {
    this.reads = reads;
    this.elsewhere = elsewhere;
    this.engine = engine;
    this.loader = loader;
    this.options = parts.options().hotReads();
    this.threshold = options.threshold();
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
    threshold = next.threshold();
    keeping.mode(next.mode());
    joining.mode(next.mode());
    if (next.mode() == Mode.OFF) {
      dropAll();
    }
  }

  boolean isOn() {
    return keeping.mode() != Mode.OFF;
  }

  /**
   * Returns what a key holds, or null.
   *
   * @param saidAbsent whether the filter said that there is no such key, which the load is held to
   */
  CompletionStage<@Nullable Value> get(byte[] bytes, long hash, boolean saidAbsent) {
    byte seen = reads.look(hash);
    var key = new Key(bytes, hash);
    Value kept = kept(key);
    if (kept != null) {
      return CompletableFuture.completedFuture(kept);
    }
    var flight = new Board.Flight(key);
    Board.Flight running = board.put(flight);
    if (running == null) {
      return fly(flight, seen, saidAbsent);
    }
    if (joining.apply(1, hash)) {
      tally.flightsJoined.increment();
      return running.thenApply(value -> touched(key, value));
    }
    return Stages.then(
        loader.load(key.bytes(), key.hash(), saidAbsent), value -> touched(key, value));
  }

  /** Returns what is kept of a key if it may be served, and counts the use. */
  @Nullable Value kept(Key key) {
    Kept kept = keeps ? cache.getIfPresent(key) : null;
    if (kept == null) {
      return null;
    }
    long age = ticker.nanos() - kept.loadedNanos;
    long life = lifeNanos();
    if (age >= life || isEnded(kept.value)) {
      cache.asMap().remove(key, kept);
      return null;
    }
    if (!mayServe() || !keeping.apply(1, key.hash())) {
      return null;
    }
    tally.cacheHits.increment();
    long count = reads.count(key.bytes(), key.hash(), kept.loadedNanos + age, threshold);
    if (age > life - (life >> 2) && count >= threshold) {
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
    long count = reads.count(bytes, hash, ticker.nanos(), threshold);
    long least = elsewhere.holds(bytes, hash) ? 1 : threshold;
    if (count >= least && (count - least) % LOAD_EVERY == 0 && mayServe()) {
      var key = new Key(bytes, hash);
      if (!cache.asMap().containsKey(key)) {
        loadAhead(key);
      }
    }
  }

  /** Counts a key that was read past the cache. */
  void touch(byte[] bytes, long hash) {
    long unused = reads.count(bytes, hash, ticker.nanos(), threshold);
  }

  /** Forgets a key because it was written. */
  void drop(Key key) {
    board.drop(key);
    cache.invalidate(key);
  }

  void dropAll() {
    board.dropAll();
    cache.invalidateAll();
  }

  /** Throws out what may not be served any more. */
  void clean() {
    long now = ticker.nanos();
    long life = lifeNanos();
    cache.asMap().values().removeIf(kept -> now - kept.loadedNanos >= life);
    cache.cleanUp();
    keeps = !cache.asMap().isEmpty();
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

  GatedRing reads() {
    return reads;
  }

  private void loadAhead(Key key) {
    var flight = new Board.Flight(key);
    if (board.put(flight) == null) {
      long began = ticker.nanos();
      loader
          .load(key.bytes(), key.hash(), false)
          .whenComplete(
              (value, failure) -> {
                land(flight, value, began, true);
                complete(flight, value, failure);
              });
    }
  }

  /** Loads a key; what can be known of its heat without the value is looked up before. */
  private CompletionStage<@Nullable Value> fly(Board.Flight flight, byte seen, boolean saidAbsent) {
    Key key = flight.key;
    long began = ticker.nanos();
    boolean cold =
        reads.takes(key.hash(), began, threshold, seen)
            && !elsewhere.holds(key.bytes(), key.hash());
    CompletionStage<@Nullable Value> load;
    try {
      load = loader.load(key.bytes(), key.hash(), saidAbsent);
    } catch (RuntimeException e) {
      load = CompletableFuture.failedFuture(e);
    }
    if (Stages.isAnswered(load)) {
      landed(flight, load.toCompletableFuture().join(), null, began, cold);
    } else {
      load.whenComplete((value, failure) -> landed(flight, value, failure, began, cold));
    }
    return flight;
  }

  private void landed(
      Board.Flight flight,
      @Nullable Value value,
      @Nullable Throwable failure,
      long began,
      boolean cold) {
    Key key = flight.key;
    boolean hot =
        !cold
            && value != null
            && (reads.countOn(key.bytes(), key.hash(), threshold) >= threshold
                || elsewhere.holds(key.bytes(), key.hash()));
    land(flight, value, began, hot);
    complete(flight, value, failure);
  }

  private void land(Board.Flight flight, @Nullable Value value, long began, boolean hot) {
    if (hot && value != null && mayServe()) {
      flight.keep(
          () -> {
            cache.put(flight.key, new Kept(value, began));
            keeps = true;
          });
    }
    board.remove(flight);
  }

  private @Nullable Value touched(Key key, @Nullable Value value) {
    if (value != null) {
      touch(key.bytes(), key.hash());
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
      Board.Flight flight, @Nullable Value value, @Nullable Throwable failure) {
    if (failure == null) {
      flight.complete(value);
    } else {
      flight.completeExceptionally(failure);
    }
  }

  /** Asks the engine. */
  interface Loader {
    CompletionStage<@Nullable Value> load(byte[] key, long hash, boolean saidAbsent);
  }

  /** A value, and when its load began. */
  private record Kept(Value value, long loadedNanos) {}
}
