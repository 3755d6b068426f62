package io.heatshield.store;

import io.heatshield.filter.KeySource;
import io.heatshield.filter.RebuildResult;
import io.heatshield.hash.KeyHash;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the filter of a store anew from what the engine holds, while reads and writes go on. */
final class Rebuild {
  private static final Logger log = LoggerFactory.getLogger(Rebuild.class);

  private final String store;
  private final Absence absence;
  private final @Nullable HeldKeys held;
  private final Engine engine;
  private final Stripes stripes;
  private final Stamps stamps;
  private final KeyHash hash;
  private final Tally tally;
  private volatile boolean running;
  private volatile boolean stopped;
  private volatile long scanned;
  private volatile long expected;
  private volatile String last = "none";

  Rebuild(
      Parts parts,
      Absence absence,
      @Nullable HeldKeys held,
      Engine engine,
      Stripes stripes,
      Stamps stamps) {
    this.store = parts.options().name();
    this.absence = absence;
    this.held = held;
    this.engine = engine;
    this.stripes = stripes;
    this.stamps = stamps;
    this.hash = parts.hash();
    this.tally = parts.tally();
  }

  /**
   * Runs to its end if it is still wanted, on a thread that may take its time; returns whether the
   * filter is whole.
   */
  synchronized boolean run() {
    if (!absence.wantsRebuild()) {
      return absence.isComplete();
    }
    running = true;
    scanned = 0;
    try {
      long gaps = absence.gaps();
      expected = Math.max(1, engine.estimatedSize());
      log.info("filter of store {}: rebuilding from about {} keys", store, expected);
      absence.restoreBudget();
      RebuildResult result = rebuilt(absence.sizeFor(expected));
      if (result.outcome() == RebuildResult.Outcome.SOURCE_TOO_LARGE && !stopped) {
        expected = engine.size().toCompletableFuture().join();
        result = rebuilt(absence.sizeFor(expected));
      }
      last = result.outcome().name();
      tally.rebuilds.increment();
      boolean done = result.outcome() == RebuildResult.Outcome.DONE && !stopped;
      if (done) {
        scanned = result.scanned();
        absence.completeUnless(gaps);
      }
      log.info(
          "filter of store {}: {} after {} keys, {} bytes, {} of absent keys will pass",
          store,
          done ? "complete" : result.outcome(),
          result.scanned(),
          result.bytes(),
          result.falsePositiveRate());
      return absence.isComplete();
    } catch (RuntimeException e) {
      if (!last.equals("FAILED")) {
        log.warn("filter of store {} cannot be rebuilt and is not asked: {}", store, e.toString());
      }
      last = "FAILED";
      return false;
    } finally {
      running = false;
    }
  }

  /** Gives up what runs, for good. */
  void stop() {
    stopped = true;
  }

  boolean isRunning() {
    return running;
  }

  /** Returns how many keys were scanned, and how many are expected. */
  long scanned() {
    return scanned;
  }

  long expected() {
    return expected;
  }

  String last() {
    return last;
  }

  /** Rebuilds for so many keys, or if there is no room for them for as many as there are. */
  private RebuildResult rebuilt(long roomy) {
    RebuildResult result = absence.filter().rebuild(new Source(roomy), this::progress);
    return result.outcome() == RebuildResult.Outcome.OVER_BUDGET && roomy > expected
        ? absence.filter().rebuild(new Source(expected), this::progress)
        : result;
  }

  private void progress(long keys) {
    scanned = keys;
    if (Long.bitCount(keys) == 1) {
      log.info("filter of store {}: {} of about {} keys", store, keys, expected);
    }
  }

  /** The engine's keys; whatever was added to the filter before the scan is in the engine then. */
  private final class Source implements KeySource {
    private final long items;

    Source(long items) {
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
    public void scan(LongPredicate sink) {
      var walk = new Walk();
      stripes.holdingAll(walk::begin).toCompletableFuture().join();
      engine.forEachKey(
          key -> {
            long hashed = hash.hash(key);
            walk.found(key, hashed);
            return !stopped && sink.test(hashed);
          });
    }
  }

  /** What a walk over all keys tells of those that the engine holds. */
  private final class Walk {
    private long[] before = {};
    private long room;

    /** Takes note of the state that keys are held against; for who holds all stripes. */
    CompletionStage<@Nullable Void> begin() {
      if (held != null) {
        held.fit(absence.spareBytes());
        room = held.capacity();
        before = stamps.mark();
      }
      return CompletableFuture.completedFuture(null);
    }

    /** Takes in a key unless it, or one that shares its stamp, was changed since. */
    void found(byte[] key, long hashed) {
      HeldKeys keys = held;
      if (keys == null || room-- <= 0) {
        return;
      }
      stripes.holding(
          new long[] {hashed},
          () -> {
            if (stamps.isUnchanged(hashed, before)) {
              keys.add(key, hashed);
            }
            return CompletableFuture.<@Nullable Void>completedFuture(null);
          });
    }
  }
}
