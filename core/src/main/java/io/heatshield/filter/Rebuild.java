package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import java.util.function.LongConsumer;

/** Rebuilds a filter from a key source, on the calling thread. */
final class Rebuild {
  /** The number of keys between two reports of progress. */
  private static final long REPORT_INTERVAL = 1 << 16;

  /** The change log has room for a quarter of the expected keys, within these bounds. */
  private static final int KEYS_PER_LOG_ENTRY = 4;

  private static final int MIN_LOG_ENTRIES = 1 << 16;
  private static final int MAX_LOG_ENTRIES = 1 << 29;

  private final ChainResizer resizer;
  private final KeyHash hash;
  private final KeySource source;
  private final LongConsumer progress;

  Rebuild(ChainResizer resizer, KeyHash hash, KeySource source, LongConsumer progress) {
    this.resizer = resizer;
    this.hash = hash;
    this.source = source;
    this.progress = progress;
  }

  RebuildResult run() {
    FilterPlan plan = resizer.plan();
    long expected = source.expectedItems();
    if (expected < 0 || expected > Geometry.MAX_ITEMS) {
      throw new IllegalArgumentException(
          "expected items must be 0 to " + Geometry.MAX_ITEMS + ": " + expected);
    }
    long items = Math.max(1, expected + expected / 8);
    int bits = fittingBits(plan, items);
    if (bits == 0) {
      return result(RebuildResult.Outcome.OVER_BUDGET, 0, 0);
    }
    CuckooTable rebuilt = plan.table(plan.geometry(items, bits));
    int maxEntries =
        (int) Math.max(MIN_LOG_ENTRIES, Math.min(MAX_LOG_ENTRIES, expected / KEYS_PER_LOG_ENTRY));
    var log =
        new RebuildLog(rebuilt, maxEntries, more -> more <= resizer.maxBytes() - resizer.bytes());
    resizer.startLog(log);
    try {
      boolean snapshot = source.snapshot();
      source.scan(new KeySink(hash, keyHash -> onKey(log, keyHash)));
      resizer.finishRebuild(log, snapshot, rebuilt);
    } finally {
      resizer.stopLog(log);
    }
    RebuildResult.Outcome failure = log.failure();
    return result(
        failure == null ? RebuildResult.Outcome.DONE : failure, log.scannedKeys(), log.kept());
  }

  private boolean onKey(RebuildLog log, long keyHash) {
    boolean more = log.scanned(keyHash);
    long scanned = log.scannedKeys();
    if (scanned % REPORT_INTERVAL == 0) {
      progress.accept(scanned);
    }
    return more;
  }

  /** Returns fingerprint bits with which old and new tables fit into the budget, or 0. */
  private int fittingBits(FilterPlan plan, long items) {
    int bits = plan.bitsOf(0);
    long used = resizer.bytes() + RebuildLog.initialBytes();
    long budget = resizer.maxBytes();
    if (used + plan.bytes(plan.geometry(items, bits)) <= budget) {
      return bits;
    }
    int fitting = bits;
    while (fitting >= Geometry.MIN_BITS
        && used + plan.bytes(plan.geometry(items, fitting)) > budget) {
      fitting--;
    }
    boolean fits = fitting >= Geometry.MIN_BITS;
    boolean mayShrink =
        resizer.mayShrink(
            new Pressure(
                Pressure.Cause.REBUILD,
                budget,
                used,
                used + plan.bytes(plan.geometry(items, bits)),
                bits,
                fits ? fitting : 0,
                fits ? Geometry.plannedRate(fitting, plan.bucketSize()) : 1));
    return mayShrink ? fitting : 0;
  }

  private RebuildResult result(RebuildResult.Outcome outcome, long scanned, long kept) {
    return new RebuildResult(outcome, scanned, kept, resizer.bytes(), resizer.rate());
  }
}
