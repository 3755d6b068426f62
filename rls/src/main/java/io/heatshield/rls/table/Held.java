package io.heatshield.rls.table;

import java.time.Duration;

/**
 * Why a use is refused.
 *
 * @param use what was refused
 * @param rule the rule that blocks the client
 * @param left how long the block still holds
 */
record Held(Use use, TableRule rule, Duration left) {

  /** Returns the whole seconds until the client may come again, at least 1. */
  int seconds() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, left.plusNanos(999_999_999).toSeconds()));
  }
}
