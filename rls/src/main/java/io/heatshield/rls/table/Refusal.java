package io.heatshield.rls.table;

import java.time.Duration;

/**
 * The refusal of a use.
 *
 * @param rule the rule that blocks the client
 * @param left the remaining time of the block
 */
record Refusal(ClientUse use, TableRule rule, Duration left) {

  /** Returns the seconds until the block ends, rounded up, at least 1. */
  int seconds() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, left.plusNanos(999_999_999).toSeconds()));
  }
}
