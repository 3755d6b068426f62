package io.heatshield.limit.memory;

import io.heatshield.action.Admission;
import io.heatshield.action.WhenFull;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Rate;
import io.heatshield.time.Ticker;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how often each key may be used, in this process.
 *
 * <pre>{@code
 * RateLimiter limiter =
 *     RateLimiter.inMemory(100_000)
 *         .limit("user", Rate.perMinute(5))
 *         .limit("address", Rate.perSecond(50))
 *         .build();
 *
 * Admission result = limiter.tryAcquire("user", "42");
 * if (!result.admitted()) {
 *   response.setStatus(429);
 *   response.setHeader("Retry-After", Long.toString(result.retryAfterSeconds()));
 * }
 * }</pre>
 *
 * <p><b>Exact.</b> With any number of threads a key is never admitted more often than its limit
 * allows, see {@link io.heatshield.limit.Algorithm}. A refused call is not counted. {@link
 * Admission#retryAfter} is exact to a millisecond: a call after that time is admitted if no other
 * call of the key is admitted before. A limit of 0 refuses everything.
 *
 * <p><b>Bounded.</b> At most {@code maxKeys} counters exist, one for each key of each limit. A
 * counter takes about 450 bytes, or 150 with {@link io.heatshield.limit.Algorithm#GCRA}, whatever
 * the length of its key, and is removed after the time of its rate has passed without a call: each
 * new key checks two counters. {@link WhenFull} says what happens to a new key if all places are
 * taken.
 *
 * <p><b>Keys.</b> Equal bytes are the same key in every form, as in {@link KeyHash}. A key is
 * identified by two keyed 64-bit hashes with independent lanes of the secret, so two different keys
 * of up to 32 bytes share a counter with a probability of about 2<sup>-124</sup>.
 *
 * <p>Any thread may call any method; none blocks. For rules from YAML, and for counters that
 * several processes share, see {@link io.heatshield.limit.rule.RuleLimiter}.
 */
public final class RateLimiter {
  private final CounterTable<LimitedKey> counters;
  private final LongSupplier clock;
  private final WhenFull whenFull;
  private final KeyHash hash;
  private final KeyHash second;

  /** Replaced as a whole, under the lock of this limiter. */
  private volatile Map<String, KeyLimit> limits;

  private int nextId;

  RateLimiter(
      int maxKeys,
      Map<String, KeyLimit> limits,
      WhenFull whenFull,
      HashSecret secret,
      Ticker ticker) {
    long origin = ticker.nanos();
    this.clock = () -> TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - origin);
    this.counters = new CounterTable<>(maxKeys, clock);
    this.limits = new HashMap<>(limits);
    this.nextId = limits.size();
    this.whenFull = whenFull;
    this.hash = KeyHash.fast(secret);
    this.second = KeyHash.second(secret);
  }

  /**
   * Returns a builder of a limiter in memory.
   *
   * @param maxKeys the most counters, one for each key of each limit
   */
  public static RateLimiterBuilder inMemory(int maxKeys) {
    return new RateLimiterBuilder(maxKeys);
  }

  /**
   * Admits or refuses one call of a key.
   *
   * @param limit the name of a limit
   * @throws IllegalArgumentException if there is no limit of this name
   */
  public Admission tryAcquire(String limit, CharSequence key) {
    return tryAcquire(limit, key, 1);
  }

  /** Admits or refuses one call of a key of bytes. */
  public Admission tryAcquire(String limit, byte[] key) {
    return tryAcquire(limit, key, 1);
  }

  /** Admits or refuses one call of the key in a buffer's remaining bytes. */
  public Admission tryAcquire(String limit, ByteBuffer key) {
    return tryAcquire(limit, key, 1);
  }

  /** Admits or refuses one call of the key that is a number's decimal digits. */
  public Admission tryAcquire(String limit, long key) {
    return tryAcquire(limit, key, 1);
  }

  /**
   * Admits or refuses a call that counts as several, all or none of them.
   *
   * @param permits what the call counts as, at least 1; more than the limit is never admitted
   */
  public Admission tryAcquire(String limit, CharSequence key, long permits) {
    return acquire(limit, hash.hash(key), second.hash(key), permits);
  }

  /** Admits or refuses a call that counts as several, all or none of them. */
  public Admission tryAcquire(String limit, byte[] key, long permits) {
    return acquire(limit, hash.hash(key), second.hash(key), permits);
  }

  /** Admits or refuses a call that counts as several, all or none of them. */
  public Admission tryAcquire(String limit, ByteBuffer key, long permits) {
    return acquire(limit, hash.hash(key), second.hash(key), permits);
  }

  /** Admits or refuses a call that counts as several, all or none of them. */
  public Admission tryAcquire(String limit, long key, long permits) {
    return acquire(limit, hash.hash(key), second.hash(key), permits);
  }

  /**
   * Changes the rate of a limit. The counts continue if the time of the rate stays the same, and
   * otherwise begin at 0.
   *
   * @throws IllegalArgumentException if there is no limit of this name
   * @throws InvalidSettingsException if the rate cannot be counted
   */
  public synchronized void reconfigure(String limit, Rate rate) {
    KeyLimit before = find(limit);
    var faults = new Faults();
    KeyLimit.check(faults, limit, rate, before.algorithm());
    faults.throwIfAny();
    boolean continues = rate.per().toMillis() == before.windowMillis();
    var next = new HashMap<>(limits);
    next.put(limit, before.with(continues ? before.id() : nextId++, rate));
    limits = next;
  }

  /**
   * Removes all counters whose time has passed, to free their memory before new keys need it.
   * Calling it is optional; about every second is often enough.
   */
  public void maintain() {
    counters.maintain();
  }

  /** Returns the statistics so far. */
  public RateLimiterStats stats() {
    var totals = new LinkedHashMap<String, RateLimiterStats.Totals>();
    new TreeMap<>(limits)
        .forEach(
            (name, limit) ->
                totals.put(
                    name,
                    new RateLimiterStats.Totals(limit.admitted().sum(), limit.refused().sum())));
    return new RateLimiterStats(counters.size(), counters.max(), counters.refused(), totals);
  }

  private Admission acquire(String name, long keyHash, long secondHash, long permits) {
    KeyLimit limit = find(name);
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1: " + permits);
    }
    long most = limit.most();
    if (permits > most) {
      limit.refused().increment();
      return Admission.refused(0, most, Long.MAX_VALUE);
    }
    long now = clock.getAsLong();
    var key = new LimitedKey(limit.id(), keyHash, secondHash);
    while (true) {
      Counter counter = counters.find(key);
      if (counter == null) {
        counter =
            counters.create(
                key, () -> Counter.ofAdmitted(limit.algorithm(), limit.windowMillis(), now));
      }
      if (counter == null) {
        return untracked(limit);
      }
      long count = counter.add(most, permits, now, clock);
      if (count == Counter.RETIRED) {
        counters.remove(key, counter);
      } else if (count <= most) {
        limit.admitted().increment();
        return Admission.admitted(count, most);
      } else {
        limit.refused().increment();
        long millis = counter.millisUntil(most, permits, clock.getAsLong());
        return Admission.refused(count - permits, most, nanos(millis));
      }
    }
  }

  private Admission untracked(KeyLimit limit) {
    boolean admits = whenFull == WhenFull.ADMIT;
    (admits ? limit.admitted() : limit.refused()).increment();
    return Admission.untracked(limit.most(), admits ? 0 : nanos(limit.windowMillis()));
  }

  private KeyLimit find(String name) {
    KeyLimit limit = limits.get(name);
    if (limit == null) {
      throw new IllegalArgumentException(
          "limit must be one of " + new TreeSet<>(limits.keySet()) + ": " + name);
    }
    return limit;
  }

  private static long nanos(long millis) {
    return Math.max(1, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** The identity of a key of one limit. */
  private record LimitedKey(int limit, long hash, long second) {
    @Override
    public int hashCode() {
      return Long.hashCode(hash) + limit;
    }
  }
}
