package io.heatshield.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Does the periodic work of a store, on a thread of its own or when it is called. */
final class StoreMaintenance implements Runnable {
  private static final Logger log = System.getLogger(StoreMaintenance.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final StoreContext context;
  private final Optional<FilterMaintenance> filter;
  private final List<Runnable> tasks;
  private volatile boolean closed;
  private boolean failing;
  private @Nullable Thread thread;

  StoreMaintenance(
      StoreContext context,
      StoreGuard guard,
      EngineMaintenance engine,
      StoreMemory memory,
      Optional<FilterMaintenance> filter) {
    this.context = context;
    this.filter = filter;
    this.tasks =
        List.of(
            context.engine()::maintain,
            engine::deleteExpired,
            () -> guard.hotReads().ifPresent(reads -> reads.values().evictStale()),
            engine::unroute,
            engine::saveStructures,
            memory::check,
            () -> filter.ifPresent(FilterMaintenance::rebuildIfDue));
  }

  /** Starts the thread. */
  void start() {
    var worker = new Thread(this, "upkeep of store " + context.name());
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
          log.log(
              Level.WARNING,
              "maintenance of store " + context.name() + " failed, will retry: " + e);
        }
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /**
   * Runs all tasks. A task that fails does not keep the others from running: even with damaged data
   * structures must be saved and memory must be watched.
   *
   * @throws RuntimeException the first failure, after all tasks
   */
  void once() {
    RuntimeException failure = null;
    for (Runnable task : tasks) {
      if (closed) {
        return;
      }
      try {
        task.run();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Stops the thread, saves the filter and closes the engine. */
  void close() {
    closed = true;
    filter.ifPresent(FilterMaintenance::stop);
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
      context.stripes().runHoldingAll(() -> filter.ifPresent(FilterMaintenance::save));
    } finally {
      context.engine().close();
    }
  }
}
