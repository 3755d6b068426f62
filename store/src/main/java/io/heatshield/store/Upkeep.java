package io.heatshield.store;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a store does beside its calls: takes away what has ended, rebuilds, watches its memory. */
final class Upkeep implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SAVED_AT_ONCE = 10_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int SWEPT_AT_ONCE = 1000;
  private static final int MOST_SWEEPS = 20;
  private static final int REJOINED_AT_ONCE = 500;

  private final Engine engine;
  private final Parts parts;
  private final Guards guards;
  private final Writes writes;
  private final Stripes stripes;
  private final MemoryPool pool;
  private final @Nullable Rebuild rebuild;
  private final @Nullable FilterFile file;
  private final long fullCache;
  private volatile boolean closed;
  private boolean failing;
  private boolean failed;
  private long savedAt;
  private long failedAt;
  private @Nullable Thread thread;

  Upkeep(
      Engine engine,
      Parts parts,
      Guards guards,
      Writes writes,
      Stripes stripes,
      Stamps stamps,
      Consumer<MemoryPressure> told) {
    this.engine = engine;
    this.parts = parts;
    this.guards = guards;
    this.writes = writes;
    this.stripes = stripes;
    StoreOptions options = parts.options();
    pool =
        new MemoryPool(
            options.maxMemory(),
            this::bytes,
            pressure -> {
              relieve(pressure);
              tell(told, pressure);
            });
    fullCache = guards.hotReads == null ? 0 : guards.hotReads.maxBytes();
    rebuild =
        guards.absence == null
            ? null
            : new Rebuild(parts, guards.absence, guards.held, engine, stripes, stamps);
    StoreOptions.Filter filter = options.filter();
    file = filter == null || filter.snapshot() == null ? null : new FilterFile(filter.snapshot());
    load();
  }

  /** Begins to do all this on a thread of its own. */
  void start() {
    var worker = new Thread(this, "upkeep of store " + parts.options().name());
    worker.setDaemon(true);
    thread = worker;
    worker.start();
  }

  @Override
  public void run() {
    while (!closed) {
      try {
        once();
        failing = false;
      } catch (RuntimeException e) {
        if (!closed && !failing) {
          failing = true;
          log.warn("upkeep of store {} fails: {}", parts.options().name(), e.toString());
        }
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /**
   * Does what is due. A duty that fails keeps no other from being done: what is damaged stays so,
   * and structures must be written and memory watched all the same.
   *
   * @throws RuntimeException the first failure, after all duties
   */
  void once() {
    List<Runnable> duties =
        List.of(
            engine::maintain,
            this::sweepAll,
            this::clean,
            this::rejoin,
            this::saveStructures,
            pool::look,
            this::rebuildIfDue);
    RuntimeException failure = null;
    for (Runnable duty : duties) {
      if (closed) {
        return;
      }
      try {
        duty.run();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Ends the thread, keeps the filter and closes the engine. */
  void close() {
    closed = true;
    if (rebuild != null) {
      rebuild.stop();
    }
    Thread worker = thread;
    if (worker != null) {
      LockSupport.unpark(worker);
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      stripes
          .holdingAll(
              () -> {
                save();
                return CompletableFuture.<Void>completedFuture(null);
              })
          .toCompletableFuture()
          .join();
    } finally {
      engine.close();
    }
  }

  @Nullable Rebuild rebuild() {
    return rebuild;
  }

  /** Returns what all parts take. */
  long bytes() {
    return filterBytes() + cacheBytes() + ringBytes() + dataBytes();
  }

  long filterBytes() {
    return guards.filterBytes();
  }

  long cacheBytes() {
    return guards.hotReads == null ? 0 : guards.hotReads.bytes();
  }

  long ringBytes() {
    return guards.ringBytes();
  }

  long dataBytes() {
    return engine.isWorthCaching() ? 0 : engine.bytes();
  }

  /** Moves keys back that are not written often any more. */
  private void rejoin() {
    Router router = guards.router;
    if (router == null) {
      return;
    }
    for (byte[] key : watched(() -> engine.apart(REJOINED_AT_ONCE))) {
      long hash = parts.hash().hash(key);
      if (!router.isHot(key, hash)) {
        writes
            .holding(
                Keys.of(key, hash),
                () -> {
                  engine.rejoin(key);
                  return CompletableFuture.<Void>completedFuture(null);
                })
            .toCompletableFuture()
            .join();
      }
    }
  }

  /** Writes structures that have changed, once in a while each. */
  private void saveStructures() {
    long now = parts.ticker().nanos();
    if (now - savedAt < SAVE_NANOS) {
      return;
    }
    savedAt = now;
    for (byte[] key : engine.unsaved(SAVED_AT_ONCE)) {
      writes
          .holding(
              Keys.of(key, parts.hash().hash(key)),
              () -> {
                engine.save(key);
                return CompletableFuture.<Void>completedFuture(null);
              })
          .toCompletableFuture()
          .join();
    }
  }

  private boolean isDue() {
    return !failed || parts.ticker().nanos() - failedAt >= RETRY_NANOS;
  }

  private void sweepAll() {
    int sweeps = 0;
    while (sweeps < MOST_SWEEPS && !closed && sweep() == SWEPT_AT_ONCE) {
      sweeps++;
    }
  }

  private void clean() {
    if (guards.hotReads != null) {
      guards.hotReads.clean();
    }
  }

  private void rebuildIfDue() {
    if (rebuild != null && guards.absence != null && guards.absence.wantsRebuild() && isDue()) {
      failed = !rebuild.run();
      failedAt = parts.ticker().nanos();
    }
  }

  private int sweep() {
    long now = parts.clock().getAsLong();
    List<byte[]> ended = watched(() -> engine.expired(now, SWEPT_AT_ONCE));
    for (byte[] key : ended) {
      if (writes.dropIfEnded(Keys.of(key, parts.hash().hash(key)))) {
        parts.tally().expired.increment();
      }
    }
    return ended.size();
  }

  private List<byte[]> watched(Supplier<List<byte[]>> call) {
    CallWatch.Slot slot = parts.watch().enter();
    try {
      return call.get();
    } finally {
      slot.leave();
    }
  }

  /** First the filter gives up precision, then the cache shrinks; it grows again with the room. */
  private void relieve(MemoryPressure pressure) {
    log.warn(
        "store {} takes {} of {} bytes: past {} %",
        parts.options().name(), pressure.usedBytes(), pressure.maxBytes(), pressure.percent());
    if (pressure.percent() == 90 && guards.absence != null) {
      forgetHeld();
      guards.absence.giveUpPrecision();
    }
    if (pressure.percent() == 95 && guards.hotReads != null) {
      long others = filterBytes() + ringBytes() + dataBytes();
      long most = pressure.maxBytes() / 100 * 90 - others;
      guards.hotReads.maxBytes(Math.max(fullCache / 4, Math.min(fullCache, most)));
    }
  }

  /** Tells somebody, whose failure is not that of the upkeep. */
  private void tell(Consumer<MemoryPressure> told, MemoryPressure pressure) {
    try {
      told.accept(pressure);
    } catch (RuntimeException e) {
      log.warn(
          "who is told of the memory of store {} fails: {}", parts.options().name(), e.toString());
    }
  }

  private void forgetHeld() {
    HeldKeys held = guards.held;
    if (held != null) {
      stripes
          .holdingAll(
              () -> {
                held.fit(0);
                return CompletableFuture.<Void>completedFuture(null);
              })
          .toCompletableFuture()
          .join();
    }
  }

  private void load() {
    Absence absence = guards.absence;
    if (file == null || absence == null || !absence.isOn() || engine.sequence() < 0) {
      return;
    }
    try {
      absence.take(file.load(engine.sequence(), absence.builder()));
      file.discard();
      log.info("filter of store {} was loaded", parts.options().name());
    } catch (NoSuchFileException none) {
      log.debug("filter of store {} was not kept", parts.options().name());
    } catch (IOException e) {
      log.info(
          "filter of store {} is rebuilt, the one kept is of no use: {}",
          parts.options().name(),
          e.getMessage());
    }
  }

  private void save() {
    Absence absence = guards.absence;
    if (file == null || absence == null || !absence.isComplete() || engine.sequence() < 0) {
      return;
    }
    try {
      // The engine would write them when it is closed, and have another sequence number then.
      engine.unsaved(Integer.MAX_VALUE).forEach(engine::save);
      file.save(engine.sequence(), absence.filter());
    } catch (IOException | RuntimeException e) {
      log.warn(
          "filter of store {} could not be kept and will be rebuilt: {}",
          parts.options().name(),
          e.toString());
    }
  }
}
