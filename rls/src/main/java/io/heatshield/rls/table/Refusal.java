package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.contest.Decision;

/**
 * The refusal of a use.
 *
 * @param rule the name of the rule that blocks the client
 * @param action counts what the rule refused
 */
record Refusal(ClientUse use, String rule, Action action, Decision decision) {

  /** Returns the seconds until the block ends, rounded up, at least 1. */
  int seconds() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, decision.retryAfterSeconds()));
  }
}
