package io.heatshield.filter;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The log of additions and deletions during a rebuild, and the new table that the scan fills.
 *
 * <p>Guarded by its monitor, which is acquired after the locks of the old tables and before those
 * of the new one.
 */
final class RebuildLog {
  /*
   * A scan delivers keys as they were at some earlier moment. So for a key that changed during the
   * rebuild this log decides; the log records that the scan delivered it, and nothing more.
   *
   * The difficult case is a key that the scan may have added to the new table before the key was
   * deleted. Its fingerprint may be erased there only if the scan has added it: if the fingerprint
   * belongs to another key, erasing it would lose that key. So at the first deletion of a key the
   * log records whether the new table contains its fingerprint:
   *
   *   no match   the scan has not delivered the key yet; if it does later, the key is not added
   *   match      the fingerprint belongs to this key or to another one:
   *     delivered later   to another one, so nothing is erased
   *     not delivered     A snapshot delivers each key exactly once, so this key was delivered
   *                       before: the fingerprint is erased. A live scan may have skipped the key,
   *                       so the fingerprint is kept; this is at most one false positive
   *
   * A key whose first change is an addition was not in the source before, so the scan has not
   * delivered it yet. If the scan does deliver it and it ends up deleted, the owner has overwritten
   * a key that it had and deleted the additional copy. The key itself remains, so it is kept: at
   * most one false positive.
   *
   * A key that was not added because it looked present may look absent in the new table, and the
   * scan may not deliver it. It is added at the end if it still looks absent.
   *
   * The hash table uses open addressing with linear probing and is at most half full.
   */
  private static final byte ENTRY = 1;
  private static final byte PRESENT = 2;
  private static final byte MATCHED = 4;
  private static final byte SCANNED = 8;
  private static final byte ADDED_FIRST = 16;
  private static final byte LOOKED_PRESENT = 32;
  private static final int INITIAL_LENGTH = 1 << 6;

  private final CuckooTable newTable;
  private final int maxEntries;
  private final LongPredicate mayUse;
  private long[] hashes = new long[INITIAL_LENGTH];
  private byte[] states = new byte[INITIAL_LENGTH];
  private int entries;
  private long scanned;
  private long kept;
  private RebuildResult.@Nullable Outcome failure;

  /**
   * Creates an empty log.
   *
   * @param mayUse returns whether the given number of further bytes fits into the filter's budget
   */
  RebuildLog(CuckooTable newTable, int maxEntries, LongPredicate mayUse) {
    this.newTable = newTable;
    this.maxEntries = maxEntries;
    this.mayUse = mayUse;
  }

  /** Returns the memory of an empty log. */
  static long initialBytes() {
    return bytes(INITIAL_LENGTH);
  }

  /** Logs that a key was added. */
  synchronized void added(long hash) {
    int index = entry(hash, ADDED_FIRST);
    if (index >= 0) {
      states[index] |= PRESENT;
    }
  }

  /** Logs that a key was deleted. */
  synchronized void deleted(long hash) {
    int index = entry(hash, MATCHED);
    if (index >= 0) {
      states[index] &= ~(PRESENT | LOOKED_PRESENT);
    }
  }

  /** Logs that a key was not added because it, or one that looks the same, was present. */
  synchronized void lookedPresent(long hash) {
    if (states[find(hash)] == 0 && newTable.contains(hash)) {
      return;
    }
    int index = entry(hash, LOOKED_PRESENT);
    if (index >= 0) {
      states[index] |= LOOKED_PRESENT;
    }
  }

  /** Adds a key of the scan to the new table; returns false if the rebuild was aborted. */
  synchronized boolean scanned(long hash) {
    if (failure != null) {
      return false;
    }
    scanned++;
    int index = find(hash);
    if (states[index] != 0) {
      states[index] |= SCANNED;
    } else {
      put(hash);
    }
    return failure == null;
  }

  /** Aborts the rebuild; the first outcome is kept. */
  synchronized void abort(RebuildResult.Outcome outcome) {
    if (failure == null) {
      failure = outcome;
    }
  }

  /** Applies the changes to the new table; the writers of the old tables must be locked. */
  synchronized void applyChanges(boolean snapshot) {
    for (int i = 0; i < hashes.length && failure == null; i++) {
      int state = states[i];
      boolean matched = (state & (MATCHED | SCANNED)) == MATCHED;
      if ((state & PRESENT) != 0) {
        if (!(matched && snapshot)) {
          put(hashes[i]);
        }
      } else if ((state & LOOKED_PRESENT) != 0) {
        putIfAbsent(hashes[i]);
      } else if ((state & ADDED_FIRST) != 0 && (state & SCANNED) != 0) {
        put(hashes[i]);
        kept++;
      } else if (matched && snapshot) {
        newTable.delete(hashes[i]);
      } else if (matched) {
        kept++;
      }
    }
  }

  synchronized RebuildResult.@Nullable Outcome failure() {
    return failure;
  }

  synchronized long scannedKeys() {
    return scanned;
  }

  synchronized long kept() {
    return kept;
  }

  synchronized long bytes() {
    return newTable.bytes() + bytes(hashes.length);
  }

  private static long bytes(int length) {
    return (long) length * (Long.BYTES + Byte.BYTES);
  }

  private void put(long hash) {
    if (newTable.add(hash, Integer.MAX_VALUE) != CuckooTable.AddOutcome.ADDED) {
      failure = RebuildResult.Outcome.SOURCE_TOO_LARGE;
    }
  }

  private void putIfAbsent(long hash) {
    if (newTable.add(hash, 1) == CuckooTable.AddOutcome.FULL) {
      failure = RebuildResult.Outcome.SOURCE_TOO_LARGE;
    }
  }

  /**
   * Returns the index of the hash's entry, and creates it for a first change; returns -1 if the
   * rebuild has failed.
   */
  private int entry(long hash, byte firstChange) {
    if (failure != null) {
      return -1;
    }
    int index = find(hash);
    if (states[index] == 0) {
      boolean full = 2 * (entries + 1) > hashes.length;
      if (entries == maxEntries || (full && !mayUse.test(bytes(hashes.length)))) {
        failure = RebuildResult.Outcome.TOO_MANY_CHANGES;
        return -1;
      }
      entries++;
      if (full) {
        enlarge();
        index = find(hash);
      }
      hashes[index] = hash;
      boolean applies = firstChange != MATCHED || newTable.contains(hash);
      states[index] = applies ? (byte) (ENTRY | firstChange) : ENTRY;
    }
    return index;
  }

  /** Returns the index of the hash's entry, or of the free place for it. */
  private int find(long hash) {
    int mask = hashes.length - 1;
    int index = (int) (hash ^ hash >>> 32) & mask;
    while (states[index] != 0 && hashes[index] != hash) {
      index = (index + 1) & mask;
    }
    return index;
  }

  private void enlarge() {
    long[] oldHashes = hashes;
    byte[] oldStates = states;
    hashes = new long[2 * oldHashes.length];
    states = new byte[2 * oldStates.length];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldStates[i] != 0) {
        int index = find(oldHashes[i]);
        hashes[index] = oldHashes[i];
        states[index] = oldStates[i];
      }
    }
  }
}
