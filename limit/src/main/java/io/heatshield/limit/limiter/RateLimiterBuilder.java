package io.heatshield.limit.limiter;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.rule.RuleSet;
import java.util.function.LongSupplier;

/** Builds a {@link RateLimiter}. Not safe for use by several threads. */
public final class RateLimiterBuilder {
  final CounterBackend backend;
  LongSupplier clockMillis = System::currentTimeMillis;
  KeyHash keyHash = KeyHash.fast(HashSecret.random());
  TouchListener touches = TouchListener.NONE;
  LimiterOptions options = LimiterOptions.DEFAULT;
  RuleSet rules = RuleSet.empty();
  long localCacheBytes;
  int maxRuleNames = 10_000;

  RateLimiterBuilder(CounterBackend backend) {
    this.backend = backend;
  }

  /**
   * Sets the clock, in milliseconds of Unix time; the system's by default. The backend must use the
   * same.
   *
   * <p>It may be coarse, as {@link io.heatshield.time.CoarseClock} is: late by d, windows begin and
   * end late by up to d, a sliding window holds its limit over 59/60 of a unit less d, and a bucket
   * drains up to d late. Keep d below 1/60 of the shortest unit in use: 16 ms where that is a
   * second.
   *
   * <p>A clock that is set ahead or back may admit one extra limit each time. {@link
   * io.heatshield.time.SteadyClock} ignores changes that do not last.
   */
  public RateLimiterBuilder clockMillis(LongSupplier source) {
    clockMillis = source;
    return this;
  }

  /** Sets the hash that counters are found by; one with a secret of its own if not set. */
  public RateLimiterBuilder keyHash(KeyHash hash) {
    keyHash = hash;
    return this;
  }

  /** Sets the listener for every descriptor; none by default. */
  public RateLimiterBuilder touches(TouchListener listener) {
    touches = listener;
    return this;
  }

  /** Sets the initial options. */
  public RateLimiterBuilder options(LimiterOptions first) {
    options = first;
    return this;
  }

  /** Sets the initial rules; none by default. */
  public RateLimiterBuilder rules(RuleSet first) {
    rules = first;
    return this;
  }

  /** Sets the bytes of the cache of counters over their limit; 0, the default, for no cache. */
  public RateLimiterBuilder localCacheBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: " + bytes);
    }
    localCacheBytes = bytes;
    return this;
  }

  /** Sets the most rule names with statistics of their own; 10,000 by default. */
  public RateLimiterBuilder maxRuleNames(int names) {
    maxRuleNames = names;
    return this;
  }

  /** Returns the limiter. */
  public RateLimiter build() {
    return new RateLimiter(this);
  }
}
