package io.heatshield.filter;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One cuckoo table: hashes go in as fingerprints, each in one of its two buckets.
 *
 * <p>Any thread may call any method. Lookups take no lock, and only a writer's progress makes them
 * look again. A hash that is in the table is found at every moment, also while its fingerprint
 * moves.
 */
final class CuckooTable {
  /*
   * Writers hold the locks of both buckets of a fingerprint while they change it, so for one fingerprint all changes
   * are in a row. They erase only after they raised the version of the fingerprint, which Lookup, the readers' half,
   * needs.
   *
   * Room is made by searching first and moving afterwards, last step first: a search that finds nothing has changed
   * nothing, and after every single move the table is a proper one.
   *
   * retired, log   plain, written under all locks, read under any
   *
   * Pinned by CuckooFilterStress and CuckooFilterLincheckTest.
   */

  /** What came of putting a hash in. */
  enum Put {
    ADDED,
    PRESENT,
    AT_LIMIT,
    FULL,
    RETIRED
  }

  /** What came of taking a hash out. */
  enum Taken {
    TAKEN,
    NOT_FOUND,
    RETIRED
  }

  private final Geometry geometry;
  private final PackedTable packed;
  private final FilterLocks locks;
  private final EvictionPath path;
  private final AtomicLong size;
  private final AtomicLong moves = new AtomicLong();
  private final AtomicLong failedSearches = new AtomicLong();
  private final Lookup lookup;
  private final long capacity;
  private boolean retired;
  private @Nullable RebuildLog log;

  CuckooTable(Geometry geometry, int maxEvictions) {
    this(geometry, maxEvictions, new PackedTable(geometry), 0);
  }

  CuckooTable(Geometry geometry, int maxEvictions, PackedTable packed, long size) {
    this.geometry = geometry;
    this.packed = packed;
    this.locks = new FilterLocks(geometry.buckets());
    this.lookup = new Lookup(geometry, packed);
    this.path = new EvictionPath(lookup, packed, locks, geometry, maxEvictions);
    this.size = new AtomicLong(size);
    this.capacity = geometry.capacity();
  }

  /** Returns the bytes that a table of this shape takes, all of it included. */
  static long bytes(Geometry geometry, int maxEvictions) {
    return PackedTable.bytes(geometry)
        + FilterLocks.bytes(geometry.buckets())
        + Lookup.bytes(geometry)
        + EvictionPath.bytes(geometry.buckets(), maxEvictions);
  }

  boolean contains(long hash) {
    return lookup.contains(hash);
  }

  /**
   * Puts the hash in, unless so many copies of its fingerprint are in its buckets already, or, if
   * so asked, any is.
   */
  Put add(long hash, int limit, boolean onlyIfAbsent) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.bucket(hash);
    long b = lookup.other(a, fingerprint);
    for (; ; ) {
      locks.lock(a, b);
      try {
        Put put = addLocked(hash, fingerprint, a, b, limit, onlyIfAbsent);
        if (put != null) {
          return put;
        }
      } finally {
        locks.unlock(a, b);
      }
      if (!makeRoom(a, b)) {
        return Put.FULL;
      }
    }
  }

  /** Takes one copy of the hash's fingerprint out. */
  Taken delete(long hash) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.bucket(hash);
    long b = lookup.other(a, fingerprint);
    locks.lock(a, b);
    try {
      if (retired) {
        return Taken.RETIRED;
      }
      long bucket = a;
      int slot = packed.slotOf(a, fingerprint);
      if (slot < 0) {
        bucket = b;
        slot = packed.slotOf(b, fingerprint);
      }
      if (slot < 0) {
        return Taken.NOT_FOUND;
      }
      if (log != null) {
        log.deleted(hash);
      }
      lookup.raiseVersion(fingerprint);
      packed.set(bucket, slot, 0);
      size.getAndDecrement();
      return Taken.TAKEN;
    } finally {
      locks.unlock(a, b);
    }
  }

  /**
   * Tells a running rebuild that the hash is gone, and leaves the table as it is; returns false if
   * the table is retired.
   */
  boolean noteDeleted(long hash) {
    long a = lookup.bucket(hash);
    locks.lock(a, a);
    try {
      if (!retired && log != null) {
        log.deleted(hash);
      }
      return !retired;
    } finally {
      locks.unlock(a, a);
    }
  }

  /**
   * Tells a running rebuild that the hash was taken for one that is in this table; returns false if
   * the table is retired.
   */
  boolean notePresent(long hash) {
    long a = lookup.bucket(hash);
    locks.lock(a, a);
    try {
      if (!retired && log != null) {
        log.lookedPresent(hash);
      }
      return !retired;
    } finally {
      locks.unlock(a, a);
    }
  }

  /** Returns how many copies of the hash's fingerprint its two buckets hold, at one moment. */
  int count(long hash) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.bucket(hash);
    long b = lookup.other(a, fingerprint);
    locks.lock(a, b);
    try {
      return packed.count(a, fingerprint) + packed.count(b, fingerprint);
    } finally {
      locks.unlock(a, b);
    }
  }

  Lookup lookup() {
    return lookup;
  }

  Geometry geometry() {
    return geometry;
  }

  long size() {
    return size.get();
  }

  long capacity() {
    return capacity;
  }

  long bytes() {
    return bytes(geometry, path.maxEvictions());
  }

  double rate() {
    return geometry.rate((double) size() / geometry.slots());
  }

  long moves() {
    return moves.get();
  }

  long failedSearches() {
    return failedSearches.get();
  }

  /** Holds up all writers; lookups go on. */
  void hold() {
    locks.lockAll();
  }

  void release() {
    locks.unlockAll();
  }

  /** Turns all writers away for good; the caller holds the table. */
  void retire() {
    retired = true;
  }

  /** Sets where changes are also told to; the caller holds the table or has not shown it yet. */
  void log(@Nullable RebuildLog newLog) {
    log = newLog;
  }

  /** Empties the table; the caller holds it. */
  void clear() {
    packed.clear();
    size.set(0);
  }

  /** Returns a copy of the content; the caller holds the table. */
  PackedTable copyOfContent() {
    return packed.copy(geometry);
  }

  /** Returns the same content with shorter fingerprints; the caller holds the table. */
  CuckooTable shrunk(int fewerBits) {
    Geometry narrower = geometry.narrowed(fewerBits);
    var target = new PackedTable(narrower);
    int dropped = geometry.bits() - fewerBits;
    for (long bucket = 0; bucket < geometry.buckets(); bucket++) {
      for (int slot = 0; slot < geometry.bucketSize(); slot++) {
        long fingerprint = packed.get(bucket, slot);
        if (fingerprint != 0) {
          target.set(bucket, slot, Math.max(1, fingerprint >>> dropped));
        }
      }
    }
    return new CuckooTable(narrower, path.maxEvictions(), target, size());
  }

  private @Nullable Put addLocked(
      long hash, long fingerprint, long a, long b, int limit, boolean onlyIfAbsent) {
    if (retired) {
      return Put.RETIRED;
    }
    int copies = packed.count(a, fingerprint) + packed.count(b, fingerprint);
    if (copies > 0 && onlyIfAbsent) {
      if (log != null) {
        log.lookedPresent(hash);
      }
      return Put.PRESENT;
    }
    if (copies >= limit) {
      return Put.AT_LIMIT;
    }
    if (size.get() >= capacity) {
      return Put.FULL;
    }
    long bucket = packed.count(a, 0) >= packed.count(b, 0) ? a : b;
    int slot = packed.slotOf(bucket, 0);
    if (slot < 0) {
      return null;
    }
    if (!grewByOne()) {
      return Put.FULL;
    }
    if (log != null) {
      log.added(hash);
    }
    packed.set(bucket, slot, fingerprint);
    return Put.ADDED;
  }

  /**
   * Counts one more unless the table is at its capacity, so that racing writers never exceed it.
   */
  private boolean grewByOne() {
    for (; ; ) {
      long now = size.get();
      if (now >= capacity) {
        return false;
      }
      if (size.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  private boolean makeRoom(long a, long b) {
    locks.lockSearch();
    try {
      int moved = path.makeRoom(a, b);
      if (moved < 0) {
        failedSearches.incrementAndGet();
        return false;
      }
      moves.addAndGet(moved);
      return true;
    } finally {
      locks.unlockSearch();
    }
  }
}
