package io.heatshield.filter;

import java.util.function.LongConsumer;

/** One rebuild of a filter from a key source, on the thread that asks for it. */
final class Rebuild {
  /** How many keys lie between two reports of progress. */
  private static final long REPORT_EVERY = 1 << 16;

  /** The log of changes holds this part of the expected keys at most, and no fewer than this. */
  private static final int LOG_SHARE = 4;

  private static final int LEAST_LOG = 1 << 16;
  private static final int MOST_LOG = 1 << 29;

  private final ChainResizer resizer;
  private final KeySource source;
  private final LongConsumer progress;

  Rebuild(ChainResizer resizer, KeySource source, LongConsumer progress) {
    this.resizer = resizer;
    this.source = source;
    this.progress = progress;
  }

  RebuildResult run() {
    FilterPlan plan = resizer.plan();
    long expected = source.expectedItems();
    if (expected < 0 || expected > Sizing.MAX_ITEMS) {
      throw new IllegalArgumentException(
          "expected items must be 0 to " + Sizing.MAX_ITEMS + ": " + expected);
    }
    long items = Math.max(1, expected + expected / 8);
    int bits = fittingBits(plan, items);
    if (bits == 0) {
      return result(RebuildResult.Outcome.OVER_BUDGET, 0, 0);
    }
    CuckooTable fresh = plan.table(plan.geometry(items, bits));
    int mostEntries = (int) Math.max(LEAST_LOG, Math.min(MOST_LOG, expected / LOG_SHARE));
    var log =
        new RebuildLog(fresh, mostEntries, more -> more <= resizer.budgetBytes() - resizer.bytes());
    resizer.begin(log);
    try {
      boolean snapshot = source.snapshot();
      source.scan(hash -> scanned(log, hash));
      resizer.swap(log, snapshot, fresh);
    } finally {
      resizer.end(log);
    }
    RebuildResult.Outcome failure = log.failure();
    return result(
        failure == null ? RebuildResult.Outcome.DONE : failure, log.scannedSoFar(), log.kept());
  }

  private boolean scanned(RebuildLog log, long hash) {
    boolean more = log.scanned(hash);
    long done = log.scannedSoFar();
    if (done % REPORT_EVERY == 0) {
      progress.accept(done);
    }
    return more;
  }

  /** Returns the bits with which old and new fit into the budget together, or 0. */
  private int fittingBits(FilterPlan plan, long items) {
    int bits = plan.bitsOf(0);
    long now = resizer.bytes() + RebuildLog.firstBytes();
    long budget = resizer.budgetBytes();
    if (now + plan.bytes(plan.geometry(items, bits)) <= budget) {
      return bits;
    }
    int fitting = bits;
    while (fitting >= Sizing.MIN_BITS && now + plan.bytes(plan.geometry(items, fitting)) > budget) {
      fitting--;
    }
    boolean fits = fitting >= Sizing.MIN_BITS;
    boolean relieved =
        resizer.relieved(
            new Pressure(
                Pressure.Cause.REBUILD,
                budget,
                now,
                now + plan.bytes(plan.geometry(items, bits)),
                bits,
                fits ? fitting : 0,
                fits ? Sizing.plannedRate(fitting, plan.bucketSize()) : 1));
    return relieved ? fitting : 0;
  }

  private RebuildResult result(RebuildResult.Outcome outcome, long scanned, long kept) {
    return new RebuildResult(outcome, scanned, kept, resizer.bytes(), resizer.rate());
  }
}
