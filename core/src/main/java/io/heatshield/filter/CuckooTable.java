package io.heatshield.filter;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One cuckoo table: stores the fingerprint of each hash in one of its two buckets.
 *
 * <p>Any thread may call any method, unless the method requires the writers' locks. Lookups take no
 * lock, and repeat their search only if a writer has moved or erased a fingerprint meanwhile. A
 * hash that is in the table is found at every moment, also while its fingerprint is moved.
 */
final class CuckooTable {
  /*
   * A writer holds the locks of both buckets of a fingerprint while it changes one of them, so all
   * changes of one fingerprint are in sequence. It raises the version of a fingerprint before it
   * erases it, as Lookup requires.
   *
   * If both buckets are full, EvictionPath searches for a chain of moves first and performs it
   * afterwards, the last move first. So a failed search changes nothing, and the table is valid
   * after every move.
   *
   * retired, log   plain; written under all locks, read under any
   *
   * Pinned by CuckooFilterStress and CuckooFilterLincheckTest.
   */

  /** The result of adding a hash. */
  enum AddOutcome {
    ADDED,
    AT_LIMIT,
    FULL,
    RETIRED
  }

  /** The result of deleting a hash. */
  enum DeleteOutcome {
    DELETED,
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

  /** Returns the memory of a table with these dimensions, including locks and buffers. */
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
   * Adds the fingerprint of a hash.
   *
   * @param maxCopies the maximum number of equal fingerprints in the two buckets
   */
  AddOutcome add(long hash, int maxCopies) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.leftBucket(hash);
    long b = lookup.otherBucket(a, fingerprint);
    for (; ; ) {
      locks.lock(a, b);
      try {
        AddOutcome outcome = addLocked(hash, fingerprint, a, b, maxCopies);
        if (outcome != null) {
          return outcome;
        }
      } finally {
        locks.unlock(a, b);
      }
      if (!freeSlot(a, b)) {
        return AddOutcome.FULL;
      }
    }
  }

  /** Deletes one copy of the hash's fingerprint. */
  DeleteOutcome delete(long hash) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.leftBucket(hash);
    long b = lookup.otherBucket(a, fingerprint);
    locks.lock(a, b);
    try {
      if (retired) {
        return DeleteOutcome.RETIRED;
      }
      long bucket = a;
      int slot = packed.slotOf(a, fingerprint);
      if (slot < 0) {
        bucket = b;
        slot = packed.slotOf(b, fingerprint);
      }
      if (slot < 0) {
        return DeleteOutcome.NOT_FOUND;
      }
      if (log != null) {
        log.deleted(hash);
      }
      lookup.raiseVersion(fingerprint);
      packed.set(bucket, slot, 0);
      size.getAndDecrement();
      return DeleteOutcome.DELETED;
    } finally {
      locks.unlock(a, b);
    }
  }

  /**
   * Logs a deletion for a running rebuild without changing the table; returns false if the table is
   * retired.
   */
  boolean logDeleted(long hash) {
    long a = lookup.leftBucket(hash);
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
   * Logs, for a running rebuild, that the hash was not added because it looked present in this
   * table; returns false if the table is retired.
   */
  boolean logPresent(long hash) {
    long a = lookup.leftBucket(hash);
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

  /** Returns the number of copies of the hash's fingerprint in its two buckets, atomically. */
  int count(long hash) {
    long fingerprint = lookup.fingerprint(hash);
    long a = lookup.leftBucket(hash);
    long b = lookup.otherBucket(a, fingerprint);
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

  /** Acquires all locks, so that no writer is active; lookups continue. */
  void lockWriters() {
    locks.lockAll();
  }

  void unlockWriters() {
    locks.unlockAll();
  }

  /** Makes all later writes fail with RETIRED; the caller must have locked the writers. */
  void retire() {
    retired = true;
  }

  /** Sets the log of changes; the writers must be locked, or the table not yet published. */
  void setLog(@Nullable RebuildLog newLog) {
    log = newLog;
  }

  /** Empties the table; the caller must have locked the writers. */
  void clear() {
    packed.clear();
    size.set(0);
  }

  /** Returns a copy of the fingerprints; the caller must have locked the writers. */
  PackedTable copyOfFingerprints() {
    return packed.copy(geometry);
  }

  /** Returns a copy with shorter fingerprints; the caller must have locked the writers. */
  CuckooTable withBits(int fewerBits) {
    Geometry shorter = geometry.withBits(fewerBits);
    var target = new PackedTable(shorter);
    int dropped = geometry.bits() - fewerBits;
    for (long bucket = 0; bucket < geometry.buckets(); bucket++) {
      for (int slot = 0; slot < geometry.bucketSize(); slot++) {
        long fingerprint = packed.get(bucket, slot);
        if (fingerprint != 0) {
          target.set(bucket, slot, Math.max(1, fingerprint >>> dropped));
        }
      }
    }
    return new CuckooTable(shorter, path.maxEvictions(), target, size());
  }

  /** Adds the fingerprint under the locks of its buckets; returns null if both are full. */
  private @Nullable AddOutcome addLocked(
      long hash, long fingerprint, long a, long b, int maxCopies) {
    if (retired) {
      return AddOutcome.RETIRED;
    }
    int copies = packed.count(a, fingerprint) + packed.count(b, fingerprint);
    if (copies >= maxCopies) {
      if (log != null) {
        log.lookedPresent(hash);
      }
      return AddOutcome.AT_LIMIT;
    }
    if (size.get() >= capacity) {
      return AddOutcome.FULL;
    }
    long bucket = packed.count(a, 0) >= packed.count(b, 0) ? a : b;
    int slot = packed.slotOf(bucket, 0);
    if (slot < 0) {
      return null;
    }
    if (!reserveSlot()) {
      return AddOutcome.FULL;
    }
    if (log != null) {
      log.added(hash);
    }
    packed.set(bucket, slot, fingerprint);
    return AddOutcome.ADDED;
  }

  /** Increments the size unless it is at the capacity, also with concurrent writers. */
  private boolean reserveSlot() {
    for (; ; ) {
      long current = size.get();
      if (current >= capacity) {
        return false;
      }
      if (size.compareAndSet(current, current + 1)) {
        return true;
      }
    }
  }

  private boolean freeSlot(long a, long b) {
    locks.lockSearch();
    try {
      int moved = path.freeSlot(a, b);
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
