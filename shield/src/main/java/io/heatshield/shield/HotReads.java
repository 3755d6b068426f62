package io.heatshield.shield;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.HotReadsSettings;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What hot keys hold, in memory, as the upstream answered it.
 *
 * <p>What is served was in the upstream when its load began or later, that is no longer ago than
 * {@code max_stale}, and it is not served past its own end. A write that came through the shield is
 * missed by no read that begins after it was answered. Nothing is served while changes are not
 * told, but for the upstream that is down: see {@link #last}. Any thread may call.
 */
final class HotReads {
  /*
   * A key is loaded by at most one flight. A change takes the flight off the board before it drops what is kept, and a
   * flight that lands keeps its value only while it is on the board, both in one step of the board's map: what began to
   * be read before a change is never kept after it. The drop of a write comes when its answer passes, before that is
   * handed to the client. Pinned by ShieldCoherenceIT.
   */
  private static final int ENTRY_BYTES = 200;
  private static final int MAX_VIEWS = 64;
  private static final long NEVER = Long.MAX_VALUE;

  /** The answer to a read, when it was asked for, and when the key ends at the upstream. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  private record Kept(byte[] reply, long loadedNanos, long endNanos) {}

  /** A read under way whose answer is to be kept. */
  static final class Flight {
    private final HeldKey key;
    private final long beganNanos;
    private final boolean timed;
    private byte @Nullable [] reply;

    private Flight(HeldKey key, long beganNanos, boolean timed) {
      this.key = key;
      this.beganNanos = beganNanos;
      this.timed = timed;
    }

    /** Returns whether the time that the key has to live must be known too. */
    boolean isTimed() {
      return timed;
    }

    void reply(byte[] bytes) {
      reply = bytes;
    }
  }

  private final Cache<HeldKey, Kept> cache;
  private final Map<HeldKey, Flight> flights = new ConcurrentHashMap<>();
  private final Map<String, Integer> views = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final HotRing ring;
  private final FleetHotKeys elsewhere;
  private final Action action;
  private final Ticker ticker;
  private final BooleanSupplier told;
  private volatile int viewCount;
  private volatile HotReadsSettings settings;

  /**
   * Creates an empty memory.
   *
   * @param elsewhere the keys that are hot in the whole fleet
   * @param told whether every change of a key is told by {@link #drop}
   */
  HotReads(
      HotReadsSettings settings,
      long maxBytes,
      HotRing ring,
      FleetHotKeys elsewhere,
      Savings savings,
      Ticker ticker,
      BooleanSupplier told) {
    this.settings = settings;
    this.ring = ring;
    this.elsewhere = elsewhere;
    this.action = savings.action("hot_reads", Shield.SCOPE, settings.mode());
    this.ticker = ticker;
    this.told = told;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .<HeldKey, Kept>weigher(
                (key, kept) -> ENTRY_BYTES + key.bytes().length + kept.reply.length)
            .executor(Runnable::run)
            .build();
  }

  void retune(HotReadsSettings next) {
    settings = next;
    action.mode(next.mode());
    if (next.mode() == Mode.OFF) {
      dropAll();
    }
  }

  boolean isOn() {
    return action.mode() != Mode.OFF;
  }

  /** Returns whether what is kept may be served, so that its end must be known. */
  boolean isEnforced() {
    return action.mode() == Mode.ENFORCE;
  }

  int maxReplyBytes() {
    return (int) settings.maxValue().bytes() + 32;
  }

  /**
   * Returns the number of a view: clients of one user that look at one database see the same. It is
   * -1 when there are too many; such a client has nothing from memory.
   */
  int view(String user, int database) {
    String name = database + " " + user;
    Integer known = views.get(name);
    if (known != null) {
      return known;
    }
    synchronized (views) {
      int next = viewCount;
      if (views.containsKey(name) || next == MAX_VIEWS) {
        return views.getOrDefault(name, -1);
      }
      views.put(name, next);
      viewCount = next + 1;
      return next;
    }
  }

  /** Counts a read of a key, and returns whether the key is hot, here or in the whole fleet. */
  boolean touch(HeldKey key) {
    return ring.touchHashed(key.hash(), key.bytes()) >= settings.threshold()
        || elsewhere.contains(key.bytes(), key.hash());
  }

  /** Returns whether something is kept of a key that could be served now. */
  boolean has(HeldKey key) {
    return told.getAsBoolean() && fresh(key) != null;
  }

  /** Returns the answer that is kept, if it is to be served, and counts that. */
  byte @Nullable [] serve(HeldKey key) {
    Kept kept = told.getAsBoolean() ? fresh(key) : null;
    if (kept == null || !action.apply(1, key.hash())) {
      return null;
    }
    hits.increment();
    return kept.reply;
  }

  /** Returns what is kept of a key while the upstream does not answer, no older than stated. */
  byte @Nullable [] last(HeldKey key) {
    Kept kept = isEnforced() ? fresh(key) : null;
    if (kept == null) {
      return null;
    }
    boolean unused = action.apply(1, key.hash());
    hits.increment();
    return kept.reply;
  }

  /** Returns what is kept of a key as {@link #last} does, or else another answer. */
  byte[] lastOr(@Nullable HeldKey key, byte[] otherwise) {
    byte[] kept = key == null ? null : last(key);
    return kept == null ? otherwise : kept;
  }

  /** Begins to load a key; null if somebody does so already or changes are not told. */
  @Nullable Flight begin(HeldKey key) {
    if (!told.getAsBoolean()) {
      return null;
    }
    var flight = new Flight(key, ticker.nanos(), isEnforced());
    return flights.putIfAbsent(key, flight) == null ? flight : null;
  }

  /**
   * Ends a load.
   *
   * @param ttlMillis how long the key has still to live, negative for without end
   */
  void land(Flight flight, long ttlMillis) {
    byte[] reply = flight.reply;
    if (reply == null || !told.getAsBoolean()) {
      giveUp(flight);
      return;
    }
    long end = ttlMillis < 0 ? NEVER : ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(ttlMillis);
    loads.increment();
    flights.computeIfPresent(
        flight.key,
        (key, present) -> {
          if (present != flight) {
            return present;
          }
          cache.put(key, new Kept(reply, flight.beganNanos, end));
          return null;
        });
  }

  /** Ends a load without a value. */
  void giveUp(Flight flight) {
    flights.remove(flight.key, flight);
  }

  /** Forgets a key, whoever sees it, because it was changed. */
  void drop(byte[] key, long hash) {
    for (int view = 0; view < viewCount; view++) {
      var held = new HeldKey(view, key, hash);
      flights.remove(held);
      cache.invalidate(held);
    }
  }

  void dropAll() {
    flights.clear();
    cache.invalidateAll();
  }

  /** Throws out what is too old to be served. */
  void clean() {
    long now = ticker.nanos();
    long life = settings.maxStale().toNanos();
    cache.asMap().values().removeIf(kept -> now - kept.loadedNanos >= life);
    cache.cleanUp();
  }

  long bytes() {
    return cache.policy().eviction().map(eviction -> eviction.weightedSize().orElse(0)).orElse(0L);
  }

  long hits() {
    return hits.sum();
  }

  long loads() {
    return loads.sum();
  }

  private @Nullable Kept fresh(HeldKey key) {
    Kept kept = cache.getIfPresent(key);
    if (kept == null) {
      return null;
    }
    long now = ticker.nanos();
    boolean ended = kept.endNanos != NEVER && now - kept.endNanos >= 0;
    if (ended || now - kept.loadedNanos >= settings.maxStale().toNanos()) {
      cache.asMap().remove(key, kept);
      return null;
    }
    return kept;
  }
}
