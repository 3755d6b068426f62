package io.heatshield.filter;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What changes the number and the form of a filter's tables, within its memory budget. */
final class Shape {
  /*
   * budgetBytes, rebuildWanted, refusedFor, log   volatile: read without the lock, written with it
   *
   * Whoever replaces a table holds up its writers, copies or settles, shows the new tables, and retires the old ones, in
   * this order. The lock is taken before any of a table's and never held while the listener or a key source runs.
   */
  private final Layers layers;
  private final Plan plan;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long budgetBytes;
  private volatile boolean rebuildWanted;

  /** The tables for which the listener has refused; it is not asked again about the same. */
  private volatile CuckooTable @Nullable [] refusedFor;

  private volatile @Nullable RebuildLog log;

  Shape(Layers layers, Plan plan, long budgetBytes) {
    this.layers = layers;
    this.plan = plan;
    this.budgetBytes = budgetBytes;
  }

  Plan plan() {
    return plan;
  }

  long budgetBytes() {
    return budgetBytes;
  }

  boolean rebuildWanted() {
    return rebuildWanted;
  }

  long bytes() {
    return ChainMath.bytes(plan, layers.tables(), null, 0) + bytesOfRebuild();
  }

  double rate() {
    return ChainMath.rate(layers.tables());
  }

  /** Adds a sub-filter to these full tables, and returns whether it did. */
  boolean grow(CuckooTable[] full) {
    Geometry next = plan.growth() == Growth.CHAIN ? ChainMath.next(plan, full) : null;
    if (next == null || refusedFor == full) {
      rebuildWanted = rebuildWanted || plan.growth() == Growth.REBUILD;
      return false;
    }
    long budget = budgetBytes;
    if (bytes() + plan.bytes(next) > budget) {
      Pressure pressure =
          ChainMath.pressure(Pressure.Cause.GROWTH, plan, full, next, bytesOfRebuild(), budget);
      if (!relieved(pressure)) {
        refuse(full, budget);
        return false;
      }
    }
    lock.lock();
    try {
      int dropped = ChainMath.bitsToDrop(plan, full, next, budgetBytes - bytesOfRebuild());
      if (layers.tables() != full) {
        return false;
      }
      if (dropped < 0) {
        refusedFor = full;
        return false;
      }
      if (dropped > 0) {
        shrink(dropped);
      }
      CuckooTable[] longer = Arrays.copyOf(layers.tables(), full.length + 1);
      longer[full.length] = plan.table(ChainMath.narrowed(next, dropped));
      longer[full.length].log(log);
      layers.show(longer);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the budget and makes the filter fit, or leaves all as it is and says so. */
  Shrink budget(long newBudget) {
    boolean fits = bytes() <= newBudget;
    boolean may =
        fits
            || relieved(
                ChainMath.pressure(
                    Pressure.Cause.LOWER_BUDGET,
                    plan,
                    layers.tables(),
                    null,
                    bytesOfRebuild(),
                    newBudget));
    lock.lock();
    try {
      CuckooTable[] now = layers.tables();
      long bytesBefore = bytes();
      double rateBefore = ChainMath.rate(now);
      int dropped = ChainMath.bitsToDrop(plan, now, null, newBudget);
      if (!may || dropped < 0) {
        return new Shrink(false, bytesBefore, bytesBefore, rateBefore, rateBefore);
      }
      if (bytesBefore > newBudget) {
        giveUpRebuild();
      }
      if (dropped > 0) {
        shrink(dropped);
      }
      budgetBytes = newBudget;
      refusedFor = null;
      return new Shrink(true, bytesBefore, bytes(), rateBefore, ChainMath.rate(layers.tables()));
    } finally {
      lock.unlock();
    }
  }

  /** Empties all tables, and gives a running rebuild up. */
  void clear() {
    lock.lock();
    try {
      giveUpRebuild();
      CuckooTable[] now = layers.tables();
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
      CuckooTable[] now = layers.tables();
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
    Relief relief = plan.listener().relieve(pressure);
    rebuildWanted = rebuildWanted || relief == Relief.REBUILD;
    return relief == Relief.SHRINK_FINGERPRINTS && pressure.bitsThatFit() > 0;
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
      if (layers.tables() == full && budgetBytes == budget) {
        refusedFor = full;
      }
    } finally {
      lock.unlock();
    }
  }

  private void shrink(int dropped) {
    giveUpRebuild();
    CuckooTable[] now = layers.tables();
    hold(now);
    try {
      CuckooTable[] smaller = new CuckooTable[now.length];
      for (int i = 0; i < now.length; i++) {
        Geometry narrower = ChainMath.narrowed(now[i].geometry(), dropped);
        smaller[i] = now[i].shrunk(narrower.bits());
      }
      replace(now, smaller);
    } finally {
      release(now);
    }
  }

  private void replace(CuckooTable[] held, CuckooTable... by) {
    layers.show(by);
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
    CuckooTable[] now = layers.tables();
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
