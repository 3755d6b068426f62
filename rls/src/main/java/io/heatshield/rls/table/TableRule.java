package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.Tracked;
import java.time.Duration;

/** One rule of a table: its condition and its action. */
final class TableRule {
  /** The index of its bucket among the table's rates, or -1 if it has none. */
  private final int bucket;

  /** The distinct targets above which it applies, or -1 if it has no such condition. */
  private final long cardinalityAbove;

  private final TableSettings.Rule settings;
  private final Action action;

  TableRule(TableSettings.Rule settings, int bucket, Action action) {
    this.settings = settings;
    this.bucket = settings.when().tokens() == null ? -1 : bucket;
    Long above = settings.when().cardinalityAbove();
    cardinalityAbove = above == null ? -1 : above;
    this.action = action;
  }

  String name() {
    return settings.name();
  }

  /** Returns the tag of its blocks, which does not depend on other rules. */
  int tag() {
    return settings.name().hashCode();
  }

  Mode mode() {
    return action.mode();
  }

  /** Returns the action that counts the calls that the rule refused, or would have refused. */
  Action action() {
    return action;
  }

  boolean logs() {
    return settings.action().contains(TableSettings.Action.LOG);
  }

  boolean blocks() {
    return settings.action().contains(TableSettings.Action.BLOCK);
  }

  Duration blockFor() {
    return settings.blockFor();
  }

  /** Returns the bit of its bucket, or 0 if it has none. */
  long bucketBit() {
    return bucket < 0 ? 0 : 1L << bucket;
  }

  /**
   * Returns whether a touch meets every part of the condition.
   *
   * @param exceeded a bit for each bucket that had too little for the touch
   */
  boolean isExceeded(long exceeded, Tracked client) {
    return (bucket < 0 || (exceeded & bucketBit()) != 0)
        && (cardinalityAbove < 0 || client.distinct().estimate() > cardinalityAbove);
  }
}
