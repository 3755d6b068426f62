package io.heatshield.filter;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Grows, shrinks and replaces the tables of a filter within its memory budget. */
final class ChainResizer {
  /*
   * maxBytes, refusedFor, log   volatile; written under the lock, read without it
   * rebuildWanted                  volatile; set without the lock by threads that find the filter
   *                                full, cleared under the lock by a rebuild
   *
   * Tables are replaced in this order: lock the writers of the old tables, copy them or apply the
   * changes of a rebuild, publish the new tables, retire the old ones, unlock the writers. The lock
   * is acquired before the locks of a table and is never held while the listener or a key source
   * runs.
   */
  private final TableChain chain;
  private final FilterPlan plan;
  private final LongAdder listenerFaults = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long maxBytes;
  private volatile boolean rebuildWanted;

  /** The tables for which growth was refused; the listener is not called again for them. */
  private volatile CuckooTable @Nullable [] refusedFor;

  private volatile @Nullable RebuildLog log;

  ChainResizer(TableChain chain, FilterPlan plan, long maxBytes) {
    this.chain = chain;
    this.plan = plan;
    this.maxBytes = maxBytes;
  }

  FilterPlan plan() {
    return plan;
  }

  long maxBytes() {
    return maxBytes;
  }

  long listenerFaults() {
    return listenerFaults.sum();
  }

  boolean rebuildWanted() {
    return rebuildWanted;
  }

  long bytes() {
    return plan.bytes(chain.tables(), null, 0) + rebuildBytes();
  }

  double rate() {
    return TableChain.rate(chain.tables());
  }

  /** Adds a sub-filter to these full tables; returns false if that is refused or not possible. */
  boolean grow(CuckooTable[] full) {
    Geometry next = plan.growth() == Growth.CHAIN ? plan.nextGeometry(full) : null;
    if (next == null || refusedFor == full) {
      rebuildWanted = rebuildWanted || plan.growth() == Growth.REBUILD;
      return false;
    }
    long budget = maxBytes;
    if (bytes() + plan.bytes(next) > budget) {
      Pressure pressure = plan.pressure(Pressure.Cause.GROWTH, full, next, rebuildBytes(), budget);
      if (!mayShrink(pressure)) {
        recordRefusal(full, budget);
        return false;
      }
    }
    lock.lock();
    try {
      int dropped = plan.bitsToDrop(full, next, maxBytes - rebuildBytes());
      if (chain.tables() != full) {
        return false;
      }
      if (dropped < 0) {
        refusedFor = full;
        return false;
      }
      if (dropped > 0) {
        shrink(dropped);
      }
      CuckooTable[] longer = Arrays.copyOf(chain.tables(), full.length + 1);
      longer[full.length] = plan.table(FilterPlan.shortened(next, dropped));
      longer[full.length].setLog(log);
      chain.publish(longer);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the budget and shrinks the filter to it; changes nothing if that is not possible. */
  ShrinkResult setMaxBytes(long newBudget) {
    boolean fits = bytes() <= newBudget;
    boolean allowed =
        fits
            || mayShrink(
                plan.pressure(
                    Pressure.Cause.LOWER_MAX_BYTES,
                    chain.tables(),
                    null,
                    rebuildBytes(),
                    newBudget));
    lock.lock();
    try {
      CuckooTable[] tables = chain.tables();
      long bytesBefore = bytes();
      double rateBefore = TableChain.rate(tables);
      int dropped = plan.bitsToDrop(tables, null, newBudget);
      if (!allowed || dropped < 0) {
        return new ShrinkResult(false, bytesBefore, bytesBefore, rateBefore, rateBefore);
      }
      if (bytesBefore > newBudget) {
        abortRebuild();
      }
      if (dropped > 0) {
        shrink(dropped);
      }
      maxBytes = newBudget;
      refusedFor = null;
      return new ShrinkResult(
          true, bytesBefore, bytes(), rateBefore, TableChain.rate(chain.tables()));
    } finally {
      lock.unlock();
    }
  }

  /** Empties all tables, and aborts a running rebuild. */
  void clear() {
    lock.lock();
    try {
      abortRebuild();
      changeTables(
          tables -> {
            for (CuckooTable table : tables) {
              table.clear();
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /** Runs an action while no writer is active, so that the tables do not change. */
  <T> T withWritersLocked(Function<CuckooTable[], T> action) {
    lock.lock();
    try {
      CuckooTable[] tables = chain.tables();
      for (CuckooTable table : tables) {
        table.lockWriters();
      }
      try {
        return action.apply(tables);
      } finally {
        for (CuckooTable table : tables) {
          table.unlockWriters();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Asks the listener; returns whether fingerprints may be shortened and would then fit. */
  boolean mayShrink(Pressure pressure) {
    Pressure.Relief relief = relieve(pressure);
    rebuildWanted = rebuildWanted || relief == Pressure.Relief.REBUILD;
    return relief == Pressure.Relief.SHRINK_FINGERPRINTS && pressure.bitsThatFit() > 0;
  }

  /** Starts to log all changes. */
  void startLog(RebuildLog newLog) {
    lock.lock();
    try {
      if (log != null) {
        throw new IllegalStateException("rebuild must not run twice at the same time");
      }
      setLog(newLog);
    } finally {
      lock.unlock();
    }
  }

  /** Replaces all tables by the rebuilt one, unless the rebuild has failed. */
  void finishRebuild(RebuildLog finished, boolean snapshot, CuckooTable rebuilt) {
    changeTables(
        tables -> {
          finished.applyChanges(snapshot);
          if (finished.failure() == null) {
            replace(tables, rebuilt);
            log = null;
            rebuildWanted = false;
          }
        });
  }

  /** Stops logging, if this log is still in use. */
  void stopLog(RebuildLog oldLog) {
    lock.lock();
    try {
      if (log == oldLog) {
        setLog(null);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Calls the listener; takes an exception for a refusal. */
  private Pressure.Relief relieve(Pressure pressure) {
    try {
      return plan.listener().relieve(pressure);
    } catch (RuntimeException e) {
      listenerFaults.increment();
      return Pressure.Relief.REFUSE;
    }
  }

  /** Records a refusal, unless the tables or the budget changed while the listener ran. */
  private void recordRefusal(CuckooTable[] full, long budget) {
    lock.lock();
    try {
      if (chain.tables() == full && maxBytes == budget) {
        refusedFor = full;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Shortens the fingerprints of all tables; the caller must hold the lock. */
  private void shrink(int droppedBits) {
    abortRebuild();
    changeTables(
        tables -> {
          CuckooTable[] smaller = new CuckooTable[tables.length];
          for (int i = 0; i < tables.length; i++) {
            Geometry shorter = FilterPlan.shortened(tables[i].geometry(), droppedBits);
            smaller[i] = tables[i].withBits(shorter.bits());
          }
          replace(tables, smaller);
        });
  }

  private void changeTables(Consumer<CuckooTable[]> change) {
    withWritersLocked(
        tables -> {
          change.accept(tables);
          return tables;
        });
  }

  /** Publishes new tables and retires the old ones, whose writers are locked. */
  private void replace(CuckooTable[] oldTables, CuckooTable... newTables) {
    chain.publish(newTables);
    refusedFor = null;
    for (CuckooTable table : oldTables) {
      table.retire();
    }
  }

  private void abortRebuild() {
    RebuildLog running = log;
    if (running != null) {
      running.abort(RebuildResult.Outcome.OVERTAKEN);
      setLog(null);
    }
  }

  private void setLog(@Nullable RebuildLog newLog) {
    changeTables(
        tables -> {
          for (CuckooTable table : tables) {
            table.setLog(newLog);
          }
          log = newLog;
        });
  }

  private long rebuildBytes() {
    RebuildLog running = log;
    return running == null ? 0 : running.bytes();
  }
}
