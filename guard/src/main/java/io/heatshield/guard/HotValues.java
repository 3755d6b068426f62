package io.heatshield.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.ring.HashedHotRing;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The values of hot keys, kept in memory.
 *
 * <p>A value that is served was in the backend when its load began or later, is no older than the
 * maximum age, and has not expired. Once {@link #invalidate} has returned, no read returns a value
 * from before the change that it reports. Nothing is served while changes are not being delivered,
 * except by {@link #serveLast}. Any thread may call any method.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class HotValues<K extends HashedKey, V> {
  /*
   * loads   the pending load of each key, at most one
   * cache   the values that are kept
   *
   * complete() stores a value in the same atomic step of the map that ends the load, and only if
   * the load is still pending. invalidate() first ends the pending load and then drops the
   * kept value. So a value whose load began before a change is either not stored, or dropped.
   *
   * The order between two threads: a load is registered (an atomic update) before the backend is
   * read, and the backend is changed before invalidate() removes a load. The full fence keeps that
   * removal from overtaking the change: removing an absent key from the map is only a read.
   * Pinned by HotValuesTest, HotValuesLincheckTest and HotValuesStress.
   */
  private static final int ENTRY_BYTES = 200;

  private final Map<K, Load<K, V>> loads = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final HotRing ring;
  private final HashedHotRing reads;
  private final FleetHotKeys fleet;
  private final Action action;
  private final Ticker ticker;
  private final ValueTraits<V> traits;
  private final ChangeFeed changes;
  private final Cache<K, Entry<V>> cache;
  private volatile Limits limits;

  /** A value and when its load began. */
  record Entry<V>(V value, long loadedNanos) {}

  /**
   * The conditions under which a value is kept, and for how long.
   *
   * @param mode whether kept values are served
   * @param threshold the number of reads in the ring's window from which a key is hot
   * @param maxAge the age from which a value is not served
   */
  public record Limits(Mode mode, long threshold, Duration maxAge) {}

  /**
   * Creates an empty cache; its savings are those of the action {@code hot_reads}.
   *
   * @param maxBytes the memory that values and keys may use
   * @param ring counts the reads; has the secret of the context
   * @param changes whether {@link #invalidate} is called for every change
   */
  public HotValues(
      GuardContext context,
      Limits limits,
      long maxBytes,
      HotRing ring,
      ValueTraits<V> traits,
      ChangeFeed changes) {
    this.limits = limits;
    this.ring = ring;
    this.reads = ring.hashed(context.hash());
    this.fleet = context.fleet();
    this.action = context.action("hot_reads", limits.mode());
    this.ticker = context.ticker();
    this.traits = traits;
    this.changes = changes;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .<K, Entry<V>>weigher((key, entry) -> weight(key, entry.value))
            .executor(Runnable::run)
            .build();
  }

  /** Changes the limits; {@link Mode#OFF} drops everything. */
  public void tune(Limits next) {
    limits = next;
    action.mode(next.mode());
    if (next.mode() == Mode.OFF) {
      invalidateAll();
    }
  }

  /** Returns whether reads are counted and values kept. */
  public boolean isOn() {
    return action.mode() != Mode.OFF;
  }

  /** Returns whether kept values are served. */
  public boolean isEnforced() {
    return action.mode() == Mode.ENFORCE;
  }

  /** Counts a read of a key; returns whether the key is hot, here or in the whole fleet. */
  public boolean touch(K key) {
    return count(key) >= limits.threshold() || fleet.contains(key.bytes(), key.hash());
  }

  /** Returns whether a value could be served now; counts nothing. */
  public boolean contains(K key) {
    return changes.isDelivering() && fresh(key) != null;
  }

  /** Returns the kept value of a key if it may be served, and counts a hit; else null. */
  public @Nullable V serve(K key) {
    Entry<V> entry = serveEntry(key);
    return entry == null ? null : entry.value;
  }

  /**
   * Returns the last value of a key while the backend is unavailable: as {@link #serve}, but also
   * while changes are not being delivered.
   */
  public @Nullable V serveLast(K key) {
    Entry<V> entry = isEnforced() ? fresh(key) : null;
    if (entry == null) {
      return null;
    }
    boolean unused = action.apply(1, key.hash());
    hits.increment();
    return entry.value;
  }

  /**
   * Begins to load a key, before it is read from the backend; returns null if a load of the key is
   * pending already. The caller must complete or abandon the load.
   */
  public @Nullable Load<K, V> begin(K key) {
    var load = new Load<K, V>(key, ticker.nanos());
    return register(load) == null ? load : null;
  }

  /**
   * Ends a load and keeps its value, unless the key was invalidated since the load began or changes
   * are not being delivered.
   */
  public void complete(Load<K, V> load, V value) {
    if (!changes.isDelivering()) {
      abandon(load);
      return;
    }
    stored.increment();
    loads.computeIfPresent(
        load.key(),
        (key, pending) -> {
          if (pending != load) {
            return pending;
          }
          cache.put(key, new Entry<>(value, load.beganNanos()));
          return null;
        });
  }

  /** Ends a load without a value to keep. */
  public void abandon(Load<K, V> load) {
    loads.remove(load.key(), load);
  }

  /** Drops the value and the pending load of a key, because it was changed in the backend. */
  public void invalidate(K key) {
    VarHandle.fullFence();
    loads.remove(key);
    cache.invalidate(key);
  }

  /** Drops all values and pending loads. */
  public void invalidateAll() {
    VarHandle.fullFence();
    loads.clear();
    cache.invalidateAll();
  }

  /** Drops the values that have reached the maximum age. */
  public void evictStale() {
    long now = ticker.nanos();
    long maxAge = maxAgeNanos();
    cache.asMap().values().removeIf(entry -> now - entry.loadedNanos >= maxAge);
    cache.cleanUp();
  }

  /** Returns the memory that values and keys use. */
  public long bytes() {
    return cache.policy().eviction().map(size -> size.weightedSize().orElse(0)).orElse(0L);
  }

  /** Returns the memory that values and keys may use. */
  public long maxBytes() {
    return cache.policy().eviction().map(Policy.Eviction::getMaximum).orElse(0L);
  }

  /** Sets the memory that values and keys may use, and evicts what exceeds it. */
  public void maxBytes(long bytes) {
    cache.policy().eviction().ifPresent(eviction -> eviction.setMaximum(bytes));
    cache.cleanUp();
  }

  /** Returns the number of reads that were served from memory. */
  public long hits() {
    return hits.sum();
  }

  /** Returns the number of loads that returned a value to keep. */
  public long loads() {
    return stored.sum();
  }

  /** Returns the ring that counts the reads. */
  public HotRing ring() {
    return ring;
  }

  /** Registers a load as pending; returns the load of its key that is pending already, or null. */
  @Nullable Load<K, V> register(Load<K, V> load) {
    return loads.putIfAbsent(load.key(), load);
  }

  long count(K key) {
    return reads.touch(key.hash(), key.bytes());
  }

  /** Returns the number of reads from which a key is hot; 1 if it is hot in the whole fleet. */
  long threshold(K key) {
    return fleet.contains(key.bytes(), key.hash()) ? 1 : limits.threshold();
  }

  @Nullable Entry<V> serveEntry(K key) {
    Entry<V> entry = changes.isDelivering() ? fresh(key) : null;
    if (entry == null || !action.apply(1, key.hash())) {
      return null;
    }
    hits.increment();
    return entry;
  }

  /** Returns whether a value is in the last quarter of its maximum age. */
  boolean isAgeing(Entry<V> entry) {
    long maxAge = maxAgeNanos();
    return ticker.nanos() - entry.loadedNanos > maxAge - (maxAge >> 2);
  }

  /** Returns whether a key should be loaded: its value would be kept, and none is. */
  boolean isWanted(K key) {
    return changes.isDelivering() && fresh(key) == null;
  }

  Load<K, V> newLoad(K key) {
    return new Load<>(key, ticker.nanos());
  }

  private @Nullable Entry<V> fresh(K key) {
    Entry<V> entry = cache.getIfPresent(key);
    if (entry == null) {
      return null;
    }
    if (ticker.nanos() - entry.loadedNanos >= maxAgeNanos() || traits.isExpired(entry.value)) {
      cache.asMap().remove(key, entry);
      return null;
    }
    return entry;
  }

  private long maxAgeNanos() {
    return limits.maxAge().toNanos();
  }

  private int weight(K key, V value) {
    long bytes = ENTRY_BYTES + key.bytes().length + traits.weight(value);
    return (int) Math.min(Integer.MAX_VALUE, bytes);
  }
}
