package io.heatshield.filter;

import java.util.concurrent.atomic.LongAdder;

/** The tables of a filter, oldest first: where a key goes in, and where it is looked for. */
final class TableChain {
  /*
   * tables   volatile; for writers; the array never changes, ChainResizer puts another in its place
   * lookup   volatile; for readers; the newest table's, which leads to the older ones
   *
   * An operation takes one of these once. A writer that finds its table retired starts again with the new array, so no
   * change is lost. The readers' is replaced first: no writer has changed the new tables before every new reader looks
   * there. A reader that still has the old ones sees them as they were when they were replaced, which is an answer from
   * within its call.
   *
   * A key stays in the table that took it. A deletion that matches in one table alone erases there, for that must be the
   * key's own; one that matches in several changes nothing, because fingerprints of two tables are not interchangeable:
   * erasing that of another key would make it vanish. Pinned by CuckooFilterTest.
   */
  private final LongAdder refused = new LongAdder();
  private final LongAdder kept = new LongAdder();
  private final ChainResizer resizer;
  private volatile CuckooTable[] tables;
  private volatile Lookup lookup;

  TableChain(FilterPlan plan, long budgetBytes, CuckooTable... tables) {
    this.lookup = chain(tables);
    this.tables = tables;
    this.resizer = new ChainResizer(this, plan, budgetBytes);
  }

  boolean contains(long hash) {
    return lookup.containsInAny(hash);
  }

  int find(long hash) {
    return lookup.find(hash);
  }

  AddResult add(long hash, int limit, boolean onlyIfAbsent) {
    boolean grew = false;
    for (; ; ) {
      CuckooTable[] now = tables;
      switch (addTo(now, hash, limit, onlyIfAbsent)) {
        case ADDED -> {
          return grew ? AddResult.GREW : AddResult.ADDED;
        }
        case PRESENT -> {
          return AddResult.PRESENT;
        }
        case AT_LIMIT -> {
          return AddResult.AT_LIMIT;
        }
        case FULL -> {
          if (now.length > 1 && fillsItsBuckets(now[now.length - 1], hash)) {
            return AddResult.AT_LIMIT;
          }
          if (resizer.grow(now)) {
            grew = true;
          } else if (tables == now) {
            refused.increment();
            return AddResult.FULL;
          }
        }
        case RETIRED -> Thread.onSpinWait();
      }
    }
  }

  DeleteResult delete(long hash) {
    for (; ; ) {
      CuckooTable[] now = tables;
      CuckooTable match = now[0];
      int matches = now.length == 1 ? 1 : 0;
      for (int i = 0; i < now.length && now.length > 1; i++) {
        if (now[i].contains(hash)) {
          match = now[i];
          matches++;
        }
      }
      if (matches == 0) {
        return DeleteResult.ABSENT;
      }
      if (matches > 1) {
        if (match.noteDeleted(hash)) {
          kept.increment();
          return DeleteResult.KEPT;
        }
      } else {
        CuckooTable.Taken taken = match.delete(hash);
        if (taken != CuckooTable.Taken.RETIRED) {
          return taken == CuckooTable.Taken.TAKEN ? DeleteResult.DELETED : DeleteResult.ABSENT;
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

  /** Shows other tables; the caller is the resizer and has its lock. */
  void show(CuckooTable... others) {
    lookup = chain(others);
    tables = others;
  }

  FilterStats stats() {
    CuckooTable[] now = tables;
    long size = 0;
    long capacity = 0;
    long slots = 0;
    long moves = 0;
    long failedSearches = 0;
    for (CuckooTable table : now) {
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
        resizer.budgetBytes(),
        rate(now),
        resizer.plan().rate(),
        now[now.length - 1].geometry().bits(),
        now.length,
        moves,
        failedSearches,
        refused.sum(),
        kept.sum(),
        resizer.rebuildWanted());
  }

  /** Returns the probability that an absent key looks present in a table: at most the sum. */
  static double rate(CuckooTable... tables) {
    double sum = 0;
    for (CuckooTable table : tables) {
      sum += table.rate();
    }
    return Math.min(1, sum);
  }

  /** Links the lookups, newest first, and returns the newest. */
  private static Lookup chain(CuckooTable... all) {
    for (int i = 1; i < all.length; i++) {
      all[i].lookup().older(all[i - 1].lookup());
    }
    return all[all.length - 1].lookup();
  }

  /**
   * Returns whether both buckets hold nothing but this fingerprint: copies that deletions have
   * kept, as a rule, and no larger filter would do anything about them.
   */
  private static boolean fillsItsBuckets(CuckooTable table, long hash) {
    return table.count(hash) == 2 * table.geometry().bucketSize();
  }

  private static CuckooTable.Put addTo(
      CuckooTable[] now, long hash, int limit, boolean onlyIfAbsent) {
    int last = now.length - 1;
    int left = limit;
    for (int i = 0; i < last; i++) {
      if (now[i].contains(hash)) {
        if (onlyIfAbsent) {
          return now[i].notePresent(hash) ? CuckooTable.Put.PRESENT : CuckooTable.Put.RETIRED;
        }
        left -= now[i].count(hash);
      }
    }
    if (left <= 0) {
      return CuckooTable.Put.AT_LIMIT;
    }
    CuckooTable.Put put = now[last].add(hash, left, onlyIfAbsent);
    for (int i = last - 1; i >= 0 && put == CuckooTable.Put.FULL; i--) {
      // What is left is beside the copies that this table has already.
      long most = (long) left - now[last].count(hash) + now[i].count(hash);
      put = now[i].add(hash, (int) Math.min(most, Integer.MAX_VALUE), onlyIfAbsent);
    }
    return put;
  }
}
