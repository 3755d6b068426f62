package io.heatshield.limit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The algorithms that count the hits of a limit over time. */
public enum Algorithm {
  /**
   * Counts all hits per window of the unit, aligned to the epoch, as the Envoy rate-limit service
   * does. Up to twice the limit may pass around the end of a window.
   */
  FIXED_WINDOW('f'),
  /**
   * Counts the admitted hits of the last 60 parts of a unit: never more than the limit in any 59/60
   * of a unit.
   */
  SLIDING_WINDOW('s'),
  /**
   * The generic cell rate algorithm: a bucket of the limit's size that drains evenly, one limit per
   * unit. In any time t never more than {@code limit * (1 + t / unit)}.
   */
  GCRA('g');

  private final char letter;

  Algorithm(char letter) {
    this.letter = letter;
  }

  /** Returns the algorithm with this name, for example {@code sliding_window}, if there is one. */
  public static Optional<Algorithm> parse(String name) {
    return Arrays.stream(values()).filter(each -> each.label().equals(name)).findFirst();
  }

  /** Returns the name in rules. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the largest limit for a window that the algorithm counts exactly. */
  public long most(long windowMillis) {
    return this == GCRA
        ? Math.min(LimitRequest.MAX_UINT32, (1L << 62) / windowMillis)
        : LimitRequest.MAX_UINT32;
  }

  /** Returns the letter of the algorithm in a counter key. */
  public char letter() {
    return letter;
  }
}
