package io.heatshield.contest;

import io.heatshield.action.Mode;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a table of {@link HeavyHitters}: a condition for keys, and how long a key that meets it
 * is blocked.
 *
 * <pre>{@code
 * Rule flood = Rule.rate("flood", perSecond(50)).block(ofSeconds(5));
 * Rule scan = Rule.distinct("scan", 90).block(ofMinutes(1));
 * Rule guessing = Rule.rate("guessing", perMinute(2)).burst(4).distinct(3).block(ofMinutes(5));
 * }</pre>
 *
 * <p>A key meets a rule if it meets all its conditions. A rule without {@link #block(Duration)}
 * only reports to the {@link HeavyHittersListener}. A rule is immutable; its methods return a
 * changed copy.
 */
public final class Rule {
  private static final long MAX_TOUCHES = Integer.MAX_VALUE;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NO_CONDITION = -1;

  private final String name;
  private final @Nullable Rate rate;
  private final long burst;
  private final long distinctAbove;
  private final @Nullable Duration blockTime;
  private final Mode mode;

  private Rule(
      String name,
      @Nullable Rate rate,
      long burst,
      long distinctAbove,
      @Nullable Duration blockTime,
      Mode mode) {
    this.name = name;
    this.rate = rate;
    this.burst = burst;
    this.distinctAbove = distinctAbove;
    this.blockTime = blockTime;
    this.mode = mode;
  }

  /**
   * Returns a rule for keys that are touched more often than at a rate. Each key has a token bucket
   * of the rate; its burst is the touches of one second, at least 1, unless {@link #burst} sets it.
   * A key that is touched at exactly the rate, and at most 50 ms early, never meets the rule. Every
   * touch is above a rate of 0.
   *
   * @param name the name of the rule, unique in its table
   * @throws IllegalArgumentException if the name is empty or the rate is too high
   */
  public static Rule rate(String name, Rate rate) {
    return named(name).rate(rate);
  }

  /**
   * Returns a rule for keys that are touched with more than a number of distinct targets, by the
   * estimate of {@link DistinctSettings}.
   *
   * @param name the name of the rule, unique in its table
   * @throws IllegalArgumentException if the name is empty or the number is negative
   */
  public static Rule distinct(String name, long above) {
    return named(name).distinct(above);
  }

  /** Returns this rule with the condition of {@link #rate(String, Rate)}. */
  public Rule rate(Rate above) {
    if (above.touches() > MAX_TOUCHES) {
      throw new IllegalArgumentException(
          "rate must be at most " + MAX_TOUCHES + " touches: " + above);
    }
    long perNanos = above.per().toNanos();
    long inOneSecond = (above.touches() * NANOS_PER_SECOND + perNanos - 1) / perNanos;
    return new Rule(name, above, Math.max(1, inOneSecond), distinctAbove, blockTime, mode)
        .requireBurstFits();
  }

  /**
   * Returns this rule with another burst of its rate.
   *
   * @param touches the touches that are allowed at once, at least 1
   * @throws IllegalStateException if the rule has no rate
   */
  public Rule burst(long touches) {
    if (rate == null) {
      throw new IllegalStateException("rule must have a rate before its burst is set: " + name);
    }
    if (touches < 1 || touches > MAX_TOUCHES) {
      throw new IllegalArgumentException("burst must be 1 to " + MAX_TOUCHES + ": " + touches);
    }
    return new Rule(name, rate, touches, distinctAbove, blockTime, mode).requireBurstFits();
  }

  /** Returns this rule with the condition of {@link #distinct(String, long)}. */
  public Rule distinct(long above) {
    if (above < 0) {
      throw new IllegalArgumentException("distinct must not be negative: " + above);
    }
    return new Rule(name, rate, burst, above, blockTime, mode);
  }

  /** Returns this rule, blocking for a time: above 0 and at most 366 days. */
  public Rule block(Duration time) {
    BlockTable.checkTime(time);
    return new Rule(name, rate, burst, distinctAbove, time, mode);
  }

  /**
   * Returns this rule with a mode; {@link Mode#ENFORCE} by default. In {@link Mode#OBSERVE} it
   * blocks no key and {@link Decision#observed} names it; in {@link Mode#OFF} it does nothing.
   */
  public Rule mode(Mode newMode) {
    Objects.requireNonNull(newMode, "newMode");
    return new Rule(name, rate, burst, distinctAbove, blockTime, newMode);
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the mode. */
  public Mode mode() {
    return mode;
  }

  /** Returns how long a key is blocked; empty if the rule only reports. */
  public Optional<Duration> blockTime() {
    return Optional.ofNullable(blockTime);
  }

  /** Returns the name, the conditions and what happens. */
  @Override
  public String toString() {
    return name
        + ":"
        + (rate == null ? "" : " above " + rate + " with a burst of " + burst)
        + (distinctAbove == NO_CONDITION ? "" : " above " + distinctAbove + " targets")
        + (blockTime == null ? ", report" : ", block for " + blockTime)
        + " ("
        + mode
        + ")";
  }

  /** Returns the number that marks the blocks of this rule; it does not depend on other rules. */
  int tag() {
    return name.hashCode();
  }

  /** Returns the rate of a token bucket; null if there is none, as for a rate of 0. */
  @Nullable Rate bucketRate() {
    return rate == null || rate.touches() == 0 ? null : rate;
  }

  long burst() {
    return burst;
  }

  /** Returns the number of targets above which a key meets the rule, or -1. */
  long distinctAbove() {
    return distinctAbove;
  }

  private static Rule named(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
    return new Rule(name, null, 1, NO_CONDITION, null, Mode.ENFORCE);
  }

  private Rule requireBurstFits() {
    Rate above = Objects.requireNonNull(rate);
    long perNanos = above.per().toNanos();
    if (Math.multiplyHigh(burst + 1, perNanos) != 0 || (burst + 1) * perNanos < 0) {
      throw new IllegalArgumentException(
          "burst must fit the time per touch: " + burst + " " + above);
    }
    return this;
  }
}
