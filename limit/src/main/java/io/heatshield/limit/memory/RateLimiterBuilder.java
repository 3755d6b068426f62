package io.heatshield.limit.memory;

import io.heatshield.action.WhenFull;
import io.heatshield.hash.HashSecret;
import io.heatshield.limit.Algorithm;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Rate;
import io.heatshield.time.Ticker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Builds a {@link RateLimiter}. All invalid settings are reported at once. Not thread-safe. */
public final class RateLimiterBuilder {
  private final Map<String, KeyLimit> limits = new LinkedHashMap<>();
  private final Faults limitFaults = new Faults();
  private final int maxKeys;
  private WhenFull whenFull = WhenFull.ADMIT;
  private HashSecret secret = HashSecret.random();
  private Ticker ticker = Ticker.system();

  RateLimiterBuilder(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  /**
   * Adds a limit that each key has for itself: never more calls than the rate in 59/60 of its time.
   *
   * @param name the name by which {@link RateLimiter#tryAcquire(String, CharSequence)} uses it
   * @param rate 0 calls refuse everything
   */
  public RateLimiterBuilder limit(String name, Rate rate) {
    return limit(name, rate, Algorithm.SLIDING_WINDOW);
  }

  /**
   * Adds a limit that is counted by an algorithm. {@link Algorithm#GCRA} also admits the whole rate
   * at once, and then admits calls evenly; a counter takes a third of the memory of a sliding
   * window.
   */
  public RateLimiterBuilder limit(String name, Rate rate, Algorithm algorithm) {
    Objects.requireNonNull(name, "name");
    KeyLimit.check(limitFaults, name, rate, Objects.requireNonNull(algorithm, "algorithm"));
    KeyLimit limit = KeyLimit.of(limits.size(), rate, algorithm);
    limitFaults.check(limits.put(name, limit) == null, "limit must be added once", name);
    return this;
  }

  /**
   * Sets the result for a new key while all places are taken by keys that were used within the time
   * of their rate; {@link WhenFull#ADMIT} by default. Other keys are not affected.
   */
  public RateLimiterBuilder whenFull(WhenFull result) {
    whenFull = Objects.requireNonNull(result, "result");
    return this;
  }

  /** Sets the secret of the hash functions of keys; a random one by default. */
  public RateLimiterBuilder secret(HashSecret hashSecret) {
    secret = Objects.requireNonNull(hashSecret, "hashSecret");
    return this;
  }

  /** Sets the ticker; the JVM's by default. */
  public RateLimiterBuilder ticker(Ticker source) {
    ticker = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * Returns the limiter.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public RateLimiter build() {
    var faults = new Faults();
    faults.check(maxKeys >= 1, "maxKeys must be at least 1", maxKeys);
    faults.check(!limits.isEmpty(), "limits must be at least 1", limits.size());
    faults.addAll(limitFaults);
    faults.throwIfAny();
    return new RateLimiter(maxKeys, limits, whenFull, secret, ticker);
  }
}
