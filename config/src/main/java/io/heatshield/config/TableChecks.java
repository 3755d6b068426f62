package io.heatshield.config;

import io.heatshield.config.bind.Binder;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.config.value.ByteSize;
import io.heatshield.config.value.TouchRate;
import io.heatshield.contest.DistinctSettings;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.HeavyHittersBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules about several settings of tables. */
final class TableChecks {
  /** Enough for ten million clients with typical keys, rules and bitmaps. */
  private static final long TABLE_BUDGET = 8L << 30;

  private static final int TYPICAL_KEY_BYTES = 64;
  private static final double LEAST_LEAK = 1 / 3600.0;
  private static final double MOST_LEAK = 1e6;

  private final TableSettings table;
  private final String path;
  private final Binder binder;

  private TableChecks(TableSettings table, String path, Binder binder) {
    this.table = table;
    this.path = path;
    this.binder = binder;
  }

  static void check(Settings settings, Binder binder) {
    List<String> tables = binder.itemsOf("tables");
    for (int t = 0; t < tables.size(); t++) {
      new TableChecks(settings.tables().get(t), tables.get(t), binder).check();
    }
  }

  private void check() {
    DistinctSettings cardinality = checkBitmap();
    List<String> rules = binder.itemsOf(path + ".rules");
    for (int r = 0; r < rules.size(); r++) {
      checkRule(rules.get(r), table.rules().get(r), cardinality);
    }
    checkMemory(cardinality);
  }

  /** Returns how the table counts distinct values, or null if it does not or is invalid. */
  private @Nullable DistinctSettings checkBitmap() {
    TableSettings.Cardinality given = table.cardinality();
    if (given == null) {
      return null;
    }
    boolean whole = given.bits() % Long.SIZE == 0;
    if (!whole) {
      int up = (given.bits() / Long.SIZE + 1) * Long.SIZE;
      binder.fault(path + ".cardinality.bits", "must be a multiple of 64", "write " + up);
    }
    double perSecond = given.leak().perSecond();
    boolean sound = perSecond == 0 || (perSecond >= LEAST_LEAK && perSecond <= MOST_LEAK);
    if (!sound) {
      binder.fault(
          path + ".cardinality.leak",
          "must be from 1/h to 1000000/s",
          "write 0/s to forget nothing");
    }
    return whole && sound ? given.counting() : null;
  }

  private void checkRule(
      String at, TableSettings.Rule rule, @Nullable DistinctSettings cardinality) {
    TableSettings.Condition when = rule.when();
    String rateAbove = at + ".when.rate_above";
    String burst = at + ".when.burst";
    String cardinalityAbove = at + ".when.cardinality_above";
    TouchRate rate = when.rateAbove();
    Long distinct = when.cardinalityAbove();
    if (rate == null && distinct == null) {
      binder.fault(
          at + ".when",
          "a rule needs a condition",
          "give rate_above or cardinality_above",
          rateAbove,
          cardinalityAbove);
    }
    if (when.burst() != null && rate == null) {
      binder.fault(burst, "a burst needs a rate", "give rate_above too", rateAbove);
    }
    if (when.burst() != null && rate != null) {
      long most = Long.MAX_VALUE / rate.length().toNanos() - 1;
      if (when.burst() > most) {
        binder.fault(burst, "must be at most " + most + " at this rate", "give a rate per second");
      }
    }
    if (distinct != null && table.cardinality() == null) {
      binder.fault(
          cardinalityAbove,
          "the table counts no distinct targets",
          "add a cardinality section to the table, for example cardinality: { of: path }",
          path + ".cardinality");
    }
    if (distinct != null && cardinality != null && distinct >= cardinality.most()) {
      binder.fault(
          cardinalityAbove,
          "is more than " + cardinality.bits() + " bits can count, " + cardinality.most(),
          "give cardinality.bits more",
          path + ".cardinality.bits");
    }
    if (rule.action().isEmpty()) {
      binder.fault(at + ".action", "a rule needs an action", "give log, block or both");
    }
  }

  private void checkMemory(@Nullable DistinctSettings cardinality) {
    HeavyHittersBuilder shape = HeavyHitters.builder().distinct(cardinality);
    long ruleBytes = (long) Long.BYTES * table.rules().size();
    long bytes = table.slots() * (shape.entryBytes(TYPICAL_KEY_BYTES) + ruleBytes);
    if (bytes > TABLE_BUDGET) {
      binder.fault(
          path + ".slots",
          "slots and bits would need "
              + Rules.rounded(bytes)
              + " with keys of 64 bytes, over the budget of "
              + new ByteSize(TABLE_BUDGET)
              + " for one table",
          "lower slots or cardinality.bits",
          path + ".cardinality.bits");
    }
  }
}
