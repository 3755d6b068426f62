package io.heatshield.contest;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The result of a touch of a table of {@link HeavyHitters}: whether a rule refuses it. */
public final class Decision {
  /** The decision on a touch that was counted and meets no rule. */
  static final Decision COUNTED = new Decision(true, null, 0, null);

  /** The decision on a touch of a key that the table does not have. */
  static final Decision NOT_COUNTED = new Decision(false, null, 0, null);

  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final boolean counted;
  private final @Nullable String rule;
  private final long retryNanos;
  private final @Nullable String observed;

  Decision(boolean counted, @Nullable String rule, long retryNanos, @Nullable String observed) {
    this.counted = counted;
    this.rule = rule;
    this.retryNanos = retryNanos;
    this.observed = observed;
  }

  /** Returns whether the key is blocked. */
  public boolean refused() {
    return rule != null;
  }

  /** Returns the name of the rule that blocks the key; empty if the key is not blocked. */
  public Optional<String> rule() {
    return Optional.ofNullable(rule);
  }

  /** Returns the time until the block ends; zero if the key is not blocked. */
  public Duration retryAfter() {
    return Duration.ofNanos(retryNanos);
  }

  /** Returns {@link #retryAfter} in seconds, rounded up, as a {@code Retry-After} header has it. */
  public long retryAfterSeconds() {
    return retryNanos / NANOS_PER_SECOND + (retryNanos % NANOS_PER_SECOND == 0 ? 0 : 1);
  }

  /** Returns the name of the rule that would block the key if it were not only observing. */
  public Optional<String> observed() {
    return Optional.ofNullable(observed);
  }

  /**
   * Returns whether the touch was counted. A touch is not counted if the key was blocked before, or
   * if the key got no entry in the table.
   */
  public boolean counted() {
    return counted;
  }

  /** Returns the result as text, such as {@code refused by flood for PT5S}. */
  @Override
  public String toString() {
    return (rule == null ? "admitted" : "refused by " + rule + " for " + retryAfter())
        + (observed == null ? "" : ", would be refused by " + observed)
        + (counted ? "" : ", not counted");
  }
}
