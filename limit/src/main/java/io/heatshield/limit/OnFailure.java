package io.heatshield.limit;

import java.util.Locale;
import java.util.Optional;

/** What a caller is told when the shared counters do not answer. */
public enum OnFailure {
  /** He passes; a limit of 0 still lets nothing pass. */
  OPEN,
  /** He does not pass. */
  CLOSED,
  /**
   * He is counted in this process alone. In one window at most one limit passes by the shared
   * counters, and one more for each process.
   */
  LOCAL;

  /** Returns the policy of this name in small letters, if there is one. */
  public static Optional<OnFailure> parse(String name) {
    for (OnFailure policy : values()) {
      if (policy.label().equals(name)) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  /** Returns the name that configuration uses. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
