package io.heatshield.rls.table;

import org.jspecify.annotations.Nullable;

/**
 * What came of a touch.
 *
 * @param refused why it is to be refused if the rule still acts, or null
 * @param observed the observing rule that would have refused it, or null
 */
record Touching(@Nullable Held refused, @Nullable TableRule observed) {
  static final Touching NOTHING = new Touching(null, null);
}
