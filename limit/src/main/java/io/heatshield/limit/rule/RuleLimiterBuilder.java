package io.heatshield.limit.rule;

import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link RuleLimiter}. All invalid settings are reported at once. Not thread-safe. */
public final class RuleLimiterBuilder {
  private static final int MAX_RULE_NAMES = 10_000_000;

  private final @Nullable CounterBackend shared;
  private final int maxCounters;
  LongSupplier clockMillis = System::currentTimeMillis;
  TouchListener touches = TouchListener.NONE;
  LimiterOptions options = LimiterOptions.DEFAULT;
  RuleSet rules = RuleSet.empty();
  long localCacheBytes;
  int maxRuleNames = 10_000;

  /**
   * Creates a builder.
   *
   * @param shared the counters; null for {@code maxCounters} in memory
   */
  RuleLimiterBuilder(@Nullable CounterBackend shared, int maxCounters) {
    this.shared = shared;
    this.maxCounters = maxCounters;
  }

  /**
   * Sets the clock, in milliseconds of Unix time; the system's by default. A backend that was given
   * must use the same.
   *
   * <p>It may be coarse, as {@link io.heatshield.time.CoarseClock} is: late by d, windows begin and
   * end late by up to d, a sliding window holds its limit over 59/60 of a unit less d, and a bucket
   * drains up to d late. Keep d below 1/60 of the shortest unit in use: 16 ms where that is a
   * second.
   *
   * <p>A clock that is set ahead or back may admit one extra limit each time. {@link
   * io.heatshield.time.SteadyClock} ignores changes that do not last.
   */
  public RuleLimiterBuilder clockMillis(LongSupplier source) {
    clockMillis = Objects.requireNonNull(source, "source");
    return this;
  }

  /** Sets the listener for every descriptor; none by default. */
  public RuleLimiterBuilder touches(TouchListener listener) {
    touches = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Sets the initial options. */
  public RuleLimiterBuilder options(LimiterOptions first) {
    options = Objects.requireNonNull(first, "first");
    return this;
  }

  /** Sets the initial rules; none by default. */
  public RuleLimiterBuilder rules(RuleSet first) {
    rules = Objects.requireNonNull(first, "first");
    return this;
  }

  /** Sets the bytes of the cache of counters over their limit; 0, the default, for no cache. */
  public RuleLimiterBuilder localCacheBytes(long bytes) {
    localCacheBytes = bytes;
    return this;
  }

  /** Sets the most rule names with statistics of their own; 10,000 by default. */
  public RuleLimiterBuilder maxRuleNames(int names) {
    maxRuleNames = names;
    return this;
  }

  /**
   * Returns the limiter.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public RuleLimiter build() {
    var faults = new Faults();
    faults.check(shared != null || maxCounters >= 1, "maxCounters must be at least 1", maxCounters);
    faults.check(localCacheBytes >= 0, "localCacheBytes must not be negative", localCacheBytes);
    faults.checkRange("maxRuleNames", maxRuleNames, 1, MAX_RULE_NAMES);
    faults.throwIfAny();
    return new RuleLimiter(this);
  }

  CounterBackend backend() {
    return shared == null ? new MemoryCounters(maxCounters, clockMillis) : shared;
  }
}
