package io.heatshield.filter;

import java.util.concurrent.atomic.LongAdder;

/** The tables of a filter, oldest first: adds, finds and deletes hashes in all of them. */
final class TableChain {
  /*
   * tables   volatile, for writers. The array is never changed; ChainResizer replaces it
   * lookup   volatile, for readers: the newest table's Lookup, which refers to the older ones
   *
   * An operation reads one of these fields once. A writer that finds its table retired starts again
   * with the new array, so no change is lost. When tables are replaced, `lookup` is written first:
   * all readers that begin after a write to the new tables search the new tables. A reader that
   * still has the old ones sees their state at the replacement, which happened during its call.
   *
   * A fingerprint stays in the table that it was added to. If only one table matches a key to be
   * deleted, the fingerprint there belongs to the key and is erased. If several tables match, none
   * is changed: fingerprints in different tables are not interchangeable, so erasing that of
   * another key would lose that key. Pinned by
   * CuckooFilterTest.chain_everySecondKeyDeleted_findsTheOthers.
   */
  private final LongAdder refused = new LongAdder();
  private final LongAdder kept = new LongAdder();
  private final ChainResizer resizer;
  private volatile CuckooTable[] tables;
  private volatile Lookup lookup;

  TableChain(FilterPlan plan, long maxBytes, CuckooTable... tables) {
    this.lookup = link(tables);
    this.tables = tables;
    this.resizer = new ChainResizer(this, plan, maxBytes);
  }

  boolean contains(long hash) {
    return lookup.containsInChain(hash);
  }

  /** Searches the only table, if it is of the default shape; see {@link Lookup}. */
  int findInSingleTable(long hash) {
    return lookup.findInSingleTable(hash);
  }

  AddResult add(long hash, int maxCopies) {
    boolean grew = false;
    for (; ; ) {
      CuckooTable[] current = tables;
      switch (addTo(current, hash, maxCopies)) {
        case ADDED -> {
          return grew ? AddResult.GREW : AddResult.ADDED;
        }
        case AT_LIMIT -> {
          return AddResult.AT_LIMIT;
        }
        case FULL -> {
          if (current.length > 1 && fillsBothBuckets(current[current.length - 1], hash)) {
            if (current[current.length - 1].logPresent(hash)) {
              return AddResult.AT_LIMIT;
            }
          } else if (resizer.grow(current)) {
            grew = true;
          } else if (tables == current) {
            refused.increment();
            return AddResult.FULL;
          }
        }
        case RETIRED -> Thread.onSpinWait();
      }
    }
  }

  RemoveResult delete(long hash) {
    for (; ; ) {
      CuckooTable[] current = tables;
      CuckooTable match = current[0];
      int matches = 0;
      for (CuckooTable table : current) {
        // A single table needs no lookup before it deletes.
        if (current.length == 1 || table.contains(hash)) {
          match = table;
          matches++;
        }
      }
      if (matches == 0) {
        return RemoveResult.ABSENT;
      }
      if (matches > 1) {
        if (match.logDeleted(hash)) {
          kept.increment();
          return RemoveResult.KEPT;
        }
      } else {
        switch (match.delete(hash)) {
          case DELETED -> {
            return RemoveResult.REMOVED;
          }
          case NOT_FOUND -> {
            return RemoveResult.ABSENT;
          }
          case RETIRED -> {}
        }
      }
      Thread.onSpinWait();
    }
  }

  int count(long hash) {
    int count = 0;
    for (CuckooTable table : tables) {
      count += table.count(hash);
    }
    return count;
  }

  ChainResizer resizer() {
    return resizer;
  }

  CuckooTable[] tables() {
    return tables;
  }

  /** Replaces the tables; the caller must hold the lock of the resizer. */
  void publish(CuckooTable... newTables) {
    lookup = link(newTables);
    tables = newTables;
  }

  FilterStats stats() {
    CuckooTable[] current = tables;
    long size = 0;
    long capacity = 0;
    long slots = 0;
    long moves = 0;
    long failedSearches = 0;
    for (CuckooTable table : current) {
      size += table.size();
      capacity += table.capacity();
      slots += table.geometry().slots();
      moves += table.moves();
      failedSearches += table.failedSearches();
    }
    return new FilterStats(
        size,
        capacity,
        (double) size / slots,
        resizer.bytes(),
        resizer.maxBytes(),
        rate(current),
        resizer.plan().rate(),
        current[current.length - 1].geometry().bits(),
        current.length,
        moves,
        failedSearches,
        refused.sum(),
        kept.sum(),
        resizer.listenerFaults(),
        resizer.rebuildWanted());
  }

  /** Returns an upper bound of the probability that an absent key looks present. */
  static double rate(CuckooTable... tables) {
    double sum = 0;
    for (CuckooTable table : tables) {
      sum += table.rate();
    }
    return Math.min(1, sum);
  }

  /** Links the lookup of each table to that of the next older one, and returns the newest. */
  private static Lookup link(CuckooTable... tables) {
    for (int i = 1; i < tables.length; i++) {
      tables[i].lookup().setOlder(tables[i - 1].lookup());
    }
    return tables[tables.length - 1].lookup();
  }

  /**
   * Returns whether copies of this fingerprint fill both buckets. Usually these are copies that
   * deletions have kept; then growing would not help.
   */
  private static boolean fillsBothBuckets(CuckooTable table, long hash) {
    return table.count(hash) == 2 * table.geometry().bucketSize();
  }

  /** Adds to the newest table, or if that is full to the newest older one with room. */
  private static CuckooTable.AddOutcome addTo(CuckooTable[] current, long hash, int maxCopies) {
    int last = current.length - 1;
    int left = maxCopies;
    for (int i = 0; i < last; i++) {
      if (current[i].contains(hash)) {
        left -= current[i].count(hash);
        if (left <= 0) {
          return current[i].logPresent(hash)
              ? CuckooTable.AddOutcome.AT_LIMIT
              : CuckooTable.AddOutcome.RETIRED;
        }
      }
    }
    CuckooTable.AddOutcome outcome = current[last].add(hash, left);
    for (int i = last - 1; i >= 0 && outcome == CuckooTable.AddOutcome.FULL; i--) {
      // The copies in this table were subtracted above; its limit includes them.
      long limit = (long) left - current[last].count(hash) + current[i].count(hash);
      outcome = current[i].add(hash, (int) Math.min(limit, Integer.MAX_VALUE));
    }
    return outcome;
  }
}
