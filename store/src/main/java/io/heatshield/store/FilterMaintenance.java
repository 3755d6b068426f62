package io.heatshield.store;

import io.heatshield.filter.KeySink;
import io.heatshield.filter.KeySource;
import io.heatshield.filter.RebuildResult;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.store.engine.ChangeSequence;
import io.heatshield.store.engine.DeferredWrites;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.stats.FilterReport;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the filter of a store complete: rebuilds it from the engine's keys during normal operation,
 * and stores it in a file while the store is closed.
 */
final class FilterMaintenance {
  private static final Logger log = System.getLogger(FilterMaintenance.class.getName());
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final StoreContext context;
  private final AbsentKeys keys;
  private final Engine engine;
  private final Optional<ChangeSequence> sequence;
  private final Optional<FilterFile> file;
  private boolean failed;
  private long failedAt;
  private volatile boolean running;
  private volatile boolean stopped;
  private volatile long scanned;
  private volatile long expected;
  private volatile String last = "none";

  FilterMaintenance(StoreContext context, AbsentKeys keys) {
    this.context = context;
    this.keys = keys;
    this.engine = context.engine();
    this.sequence = engine.capability(ChangeSequence.class);
    this.file =
        Optional.ofNullable(context.options().filter())
            .flatMap(filter -> Optional.ofNullable(filter.snapshot()))
            .map(FilterFile::new);
  }

  /** Rebuilds the filter if necessary, but not within 10 seconds after a failure. */
  synchronized void rebuildIfDue() {
    boolean due = !failed || context.ticker().nanos() - failedAt >= RETRY_NANOS;
    if (due && keys.wantsRebuild()) {
      failed = !rebuild();
      failedAt = context.ticker().nanos();
    }
  }

  /** Stops a running rebuild and prevents further ones. */
  void stop() {
    stopped = true;
  }

  /** Loads the filter from the file, if it matches the engine's state. */
  void load() {
    if (file.isEmpty() || !keys.isOn() || sequence.isEmpty()) {
      return;
    }
    try {
      file.get().load(sequence.get().sequence(), keys);
      file.get().delete();
      log.log(Level.INFO, "filter of store " + context.name() + " was loaded");
    } catch (NoSuchFileException none) {
      log.log(Level.DEBUG, "filter of store " + context.name() + " was not kept");
    } catch (IOException e) {
      log.log(
          Level.INFO,
          () ->
              String.format(
                  Locale.ROOT,
                  "filter of store %s will be rebuilt, its file cannot be used: %s",
                  context.name(),
                  e.getMessage()));
    }
  }

  /** Saves the filter to the file if it is complete. The caller holds all stripes. */
  void save() {
    if (file.isEmpty() || !keys.isComplete() || sequence.isEmpty()) {
      return;
    }
    try {
      // The engine would save them when it is closed, which would change its sequence number.
      engine
          .capability(DeferredWrites.class)
          .ifPresent(writes -> writes.unsaved(Integer.MAX_VALUE).forEach(writes::save));
      file.get().save(sequence.get().sequence(), keys.filter());
    } catch (IOException | RuntimeException e) {
      log.log(
          Level.WARNING,
          () ->
              String.format(
                  Locale.ROOT,
                  "filter of store %s could not be saved and will be rebuilt: %s",
                  context.name(),
                  e));
    }
  }

  FilterReport report() {
    return new FilterReport(
        keys.mode(), keys.isComplete(), running, scanned, expected, last, keys.filter().stats());
  }

  /** Rebuilds the filter; returns whether it is complete. */
  private boolean rebuild() {
    running = true;
    scanned = 0;
    try {
      long token = keys.beginRebuild();
      expected = Math.max(1, engine.estimatedSize());
      log.log(
          Level.INFO,
          () ->
              String.format(
                  Locale.ROOT,
                  "filter of store %s: rebuilding from about %d keys",
                  context.name(),
                  expected));
      RebuildResult result = scan(keys.sizeFor(expected));
      if (result.outcome() == RebuildResult.Outcome.SOURCE_TOO_LARGE && !stopped) {
        expected = engine.size().toCompletableFuture().join();
        result = scan(keys.sizeFor(expected));
      }
      last = result.outcome().name();
      boolean done = result.outcome() == RebuildResult.Outcome.DONE && !stopped;
      if (done) {
        scanned = result.scanned();
        done = keys.completeSince(token);
      }
      logResult(done ? "complete" : result.outcome().name(), result);
      return keys.isComplete();
    } catch (RuntimeException e) {
      if (!last.equals("FAILED")) {
        log.log(
            Level.WARNING,
            () ->
                String.format(
                    Locale.ROOT,
                    "filter of store %s cannot be rebuilt and is not used: %s",
                    context.name(),
                    e));
      }
      last = "FAILED";
      return false;
    } finally {
      running = false;
    }
  }

  private void logResult(String outcome, RebuildResult result) {
    log.log(
        Level.INFO,
        () ->
            String.format(
                Locale.ROOT,
                "filter of store %s: %s after %d keys, %d bytes, false positive rate %s",
                context.name(),
                outcome,
                result.scanned(),
                result.bytes(),
                result.falsePositiveRate()));
  }

  /** Rebuilds with room for a number of keys, or if that is over budget for the expected keys. */
  private RebuildResult scan(long roomy) {
    RebuildResult result = keys.rebuild(new EngineKeys(roomy), this::progress);
    return result.outcome() == RebuildResult.Outcome.OVER_BUDGET && roomy > expected
        ? keys.rebuild(new EngineKeys(expected), this::progress)
        : result;
  }

  private void progress(long done) {
    scanned = done;
    if (Long.bitCount(done) == 1) {
      log.log(
          Level.INFO,
          () ->
              String.format(
                  Locale.ROOT,
                  "filter of store %s: %d of about %d keys",
                  context.name(),
                  done,
                  expected));
    }
  }

  /** The engine's keys. */
  private final class EngineKeys implements KeySource {
    private final long items;

    EngineKeys(long items) {
      this.items = items;
    }

    @Override
    public long expectedItems() {
      return items;
    }

    @Override
    public boolean snapshot() {
      return false;
    }

    @Override
    public void scan(KeySink sink) {
      // Waits for running writes, so that the engine has the keys that they added to the filter.
      context.stripes().runHoldingAll(() -> {});
      engine.forEachKey(key -> !stopped && sink.accept(key));
    }
  }
}
