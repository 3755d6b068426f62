package io.heatshield.rls.table;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a touch.
 *
 * @param refused the refusal, if its rule is still in effect, or null
 * @param observed the rule in observe that would have refused it, or null
 */
record TouchOutcome(@Nullable Refusal refused, @Nullable TableRule observed) {
  static final TouchOutcome NOTHING = new TouchOutcome(null, null);
}
