package io.heatshield.filter;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Grows, shrinks and replaces a filter's tables, within its memory budget. */
final class ChainResizer {
  /*
   * budgetBytes, rebuildWanted, refusedFor, log   volatile: read without the lock, written with it
   *
   * Whoever replaces a table holds up its writers, copies or settles, shows the new tables, and retires the old ones, in
   * this order. The lock is taken before any of a table's and never held while the listener or a key source runs.
   */
  private final TableChain chain;
  private final FilterPlan plan;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long budgetBytes;
  private volatile boolean rebuildWanted;

  /** The tables for which the listener has refused; it is not asked again about the same. */
  private volatile CuckooTable @Nullable [] refusedFor;

  private volatile @Nullable RebuildLog log;

  ChainResizer(TableChain chain, FilterPlan plan, long budgetBytes) {
    this.chain = chain;
    this.plan = plan;
    this.budgetBytes = budgetBytes;
  }

  FilterPlan plan() {
    return plan;
  }

  long budgetBytes() {
    return budgetBytes;
  }

  boolean rebuildWanted() {
    return rebuildWanted;
  }

  long bytes() {
    return plan.bytes(chain.tables(), null, 0) + bytesOfRebuild();
  }

  double rate() {
    return TableChain.rate(chain.tables());
  }

  /** Adds a sub-filter to these full tables, and returns whether it did. */
  boolean grow(CuckooTable[] full) {
    Geometry next = plan.growth() == Growth.CHAIN ? plan.next(full) : null;
    if (next == null || refusedFor == full) {
      rebuildWanted = rebuildWanted || plan.growth() == Growth.REBUILD;
      return false;
    }
    long budget = budgetBytes;
    if (bytes() + plan.bytes(next) > budget) {
      Pressure pressure =
          plan.pressure(Pressure.Cause.GROWTH, full, next, bytesOfRebuild(), budget);
      if (!relieved(pressure)) {
        refuse(full, budget);
        return false;
      }
    }
    lock.lock();
    try {
      int dropped = plan.bitsToDrop(full, next, budgetBytes - bytesOfRebuild());
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
      longer[full.length] = plan.table(FilterPlan.narrowed(next, dropped));
      longer[full.length].log(log);
      chain.show(longer);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the budget and makes the filter fit, or leaves all as it is and says so. */
  ShrinkResult budget(long newBudget) {
    boolean fits = bytes() <= newBudget;
    boolean may =
        fits
            || relieved(
                plan.pressure(
                    Pressure.Cause.LOWER_BUDGET,
                    chain.tables(),
                    null,
                    bytesOfRebuild(),
                    newBudget));
    lock.lock();
    try {
      CuckooTable[] now = chain.tables();
      long bytesBefore = bytes();
      double rateBefore = TableChain.rate(now);
      int dropped = plan.bitsToDrop(now, null, newBudget);
      if (!may || dropped < 0) {
        return new ShrinkResult(false, bytesBefore, bytesBefore, rateBefore, rateBefore);
      }
      if (bytesBefore > newBudget) {
        giveUpRebuild();
      }
      if (dropped > 0) {
        shrink(dropped);
      }
      budgetBytes = newBudget;
      refusedFor = null;
      return new ShrinkResult(
          true, bytesBefore, bytes(), rateBefore, TableChain.rate(chain.tables()));
    } finally {
      lock.unlock();
    }
  }

  /** Empties all tables, and gives a running rebuild up. */
  void clear() {
    lock.lock();
    try {
      giveUpRebuild();
      CuckooTable[] now = chain.tables();
      hold(now);
      for (CuckooTable table : now) {
        table.clear();
      }
      release(now);
    } finally {
      lock.unlock();
    }
  }

  /** Runs with the writers of all tables held up, so that the content is that of one moment. */
  <T> T frozen(Function<CuckooTable[], T> work) {
    lock.lock();
    try {
      CuckooTable[] now = chain.tables();
      hold(now);
      try {
        return work.apply(now);
      } finally {
        release(now);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the listener lets fingerprints be shortened, and that would help. */
  boolean relieved(Pressure pressure) {
    Pressure.Relief relief = plan.listener().relieve(pressure);
    rebuildWanted = rebuildWanted || relief == Pressure.Relief.REBUILD;
    return relief == Pressure.Relief.SHRINK_FINGERPRINTS && pressure.bitsThatFit() > 0;
  }

  /** Lets all changes be told to the log from now on. */
  void begin(RebuildLog newLog) {
    lock.lock();
    try {
      if (log != null) {
        throw new IllegalStateException("rebuild must not run twice at the same time");
      }
      tellAll(newLog);
    } finally {
      lock.unlock();
    }
  }

  /** Puts the rebuilt table in the place of all others, unless the log has failed. */
  void swap(RebuildLog finished, boolean snapshot, CuckooTable fresh) {
    frozen(
        now -> {
          finished.settle(snapshot);
          if (finished.failure() == null) {
            replace(now, fresh);
            log = null;
            rebuildWanted = false;
          }
          return fresh;
        });
  }

  /** Ends the telling, whatever came of the rebuild. */
  void end(RebuildLog oldLog) {
    lock.lock();
    try {
      if (log == oldLog) {
        tellAll(null);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Remembers a refusal, unless the tables or the budget have changed while the listener ran. */
  private void refuse(CuckooTable[] full, long budget) {
    lock.lock();
    try {
      if (chain.tables() == full && budgetBytes == budget) {
        refusedFor = full;
      }
    } finally {
      lock.unlock();
    }
  }

  private void shrink(int dropped) {
    giveUpRebuild();
    CuckooTable[] now = chain.tables();
    hold(now);
    try {
      CuckooTable[] smaller = new CuckooTable[now.length];
      for (int i = 0; i < now.length; i++) {
        Geometry narrower = FilterPlan.narrowed(now[i].geometry(), dropped);
        smaller[i] = now[i].shrunk(narrower.bits());
      }
      replace(now, smaller);
    } finally {
      release(now);
    }
  }

  private void replace(CuckooTable[] held, CuckooTable... by) {
    chain.show(by);
    refusedFor = null;
    for (CuckooTable table : held) {
      table.retire();
    }
  }

  private void giveUpRebuild() {
    RebuildLog running = log;
    if (running != null) {
      running.fail(RebuildResult.Outcome.OVERTAKEN);
      tellAll(null);
    }
  }

  private void tellAll(@Nullable RebuildLog newLog) {
    CuckooTable[] now = chain.tables();
    hold(now);
    for (CuckooTable table : now) {
      table.log(newLog);
    }
    log = newLog;
    release(now);
  }

  private long bytesOfRebuild() {
    RebuildLog running = log;
    return running == null ? 0 : running.bytes();
  }

  private static void hold(CuckooTable[] all) {
    for (CuckooTable table : all) {
      table.hold();
    }
  }

  private static void release(CuckooTable[] all) {
    for (CuckooTable table : all) {
      table.release();
    }
  }
}
