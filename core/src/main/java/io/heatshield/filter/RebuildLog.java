package io.heatshield.filter;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What was added and deleted while a rebuild runs, and the new table that the scan fills meanwhile.
 *
 * <p>Guarded by its own monitor, which is taken last: after the locks of the old tables, before
 * those of the new one.
 */
final class RebuildLog {
  /*
   * The scan tells of keys as they were at some moment, so for a key that changed since, this log has the last word: the
   * scan's is noted and not followed.
   *
   * What makes it hard is a key that the scan put into the new table before it was deleted. To erase it there is right
   * only if it really was put in; if another key with the same fingerprint was, erasing makes that one vanish. So at the
   * first deletion the log notes whether the new table matches:
   *   no match          the scan has not been there; if it still comes, it is not followed
   *   match             either it has been there or another key has
   *     scan comes later   it was another key; nothing to erase
   *     scan never comes   a snapshot tells each key exactly once, so it had been there: erase. A live scan may have
   *                        passed it by, so the fingerprint is kept: at worst one false positive, never a false absent.
   * A key whose first change is an addition was not in the source before, so the scan cannot have been there; if the
   * scan does come, an owner that overwrites has added one more copy of a key that it had, and deleting that copy leaves
   * the key. It is kept: at worst one false positive.
   * A key that was not added because it looked present may look absent in the new table, and the scan may not know it.
   *
   * Open addressing, linear probing, at most half full.
   */
  private static final byte ENTRY = 1;
  private static final byte PRESENT = 2;
  private static final byte MATCHED = 4;
  private static final byte SCANNED = 8;
  private static final byte ADDED_FIRST = 16;
  private static final byte LOOKED_PRESENT = 32;
  private static final int FIRST_LENGTH = 1 << 6;

  private final CuckooTable fresh;
  private final int mostEntries;
  private final LongPredicate mayTake;
  private long[] hashes = new long[FIRST_LENGTH];
  private byte[] states = new byte[FIRST_LENGTH];
  private int entries;
  private long scanned;
  private long kept;
  private RebuildResult.@Nullable Outcome failure;

  /**
   * Makes an empty one.
   *
   * @param mayTake whether so many bytes more stay within the filter's budget
   */
  RebuildLog(CuckooTable fresh, int mostEntries, LongPredicate mayTake) {
    this.fresh = fresh;
    this.mostEntries = mostEntries;
    this.mayTake = mayTake;
  }

  /** Returns the bytes that an empty log takes. */
  static long firstBytes() {
    return bytes(FIRST_LENGTH);
  }

  synchronized void added(long hash) {
    int at = enter(hash, ADDED_FIRST);
    if (at >= 0) {
      states[at] |= PRESENT;
    }
  }

  synchronized void deleted(long hash) {
    int at = enter(hash, MATCHED);
    if (at >= 0) {
      states[at] &= ~(PRESENT | LOOKED_PRESENT);
    }
  }

  /** Hears of a key that was not added because it, or one that looks the same, is in. */
  synchronized void lookedPresent(long hash) {
    if (states[find(hash)] == 0 && fresh.contains(hash)) {
      return;
    }
    int at = enter(hash, LOOKED_PRESENT);
    if (at >= 0) {
      states[at] |= LOOKED_PRESENT;
    }
  }

  /** Takes a hash from the scan; returns false if the scan need not go on. */
  synchronized boolean scanned(long hash) {
    if (failure != null) {
      return false;
    }
    scanned++;
    int at = find(hash);
    if (states[at] != 0) {
      states[at] |= SCANNED;
    } else {
      put(hash);
    }
    return failure == null;
  }

  /** Gives the rebuild up. */
  synchronized void fail(RebuildResult.Outcome why) {
    if (failure == null) {
      failure = why;
    }
  }

  /** Applies the changes to the new table; writers are held up, so that no more come. */
  synchronized void settle(boolean snapshot) {
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
        fresh.delete(hashes[i]);
      } else if (matched) {
        kept++;
      }
    }
  }

  synchronized RebuildResult.@Nullable Outcome failure() {
    return failure;
  }

  synchronized long scannedSoFar() {
    return scanned;
  }

  synchronized long kept() {
    return kept;
  }

  synchronized long bytes() {
    return fresh.bytes() + bytes(hashes.length);
  }

  private static long bytes(int length) {
    return (long) length * (Long.BYTES + Byte.BYTES);
  }

  private void put(long hash) {
    if (fresh.add(hash, Integer.MAX_VALUE, false) != CuckooTable.Put.ADDED) {
      failure = RebuildResult.Outcome.SOURCE_TOO_LARGE;
    }
  }

  private void putIfAbsent(long hash) {
    if (fresh.add(hash, Integer.MAX_VALUE, true) == CuckooTable.Put.FULL) {
      failure = RebuildResult.Outcome.SOURCE_TOO_LARGE;
    }
  }

  /**
   * Returns where the hash's entry is, made if need be, with its first change; -1 if the rebuild
   * has failed.
   */
  private int enter(long hash, byte first) {
    if (failure != null) {
      return -1;
    }
    int at = find(hash);
    if (states[at] == 0) {
      boolean full = 2 * (entries + 1) > hashes.length;
      if (entries == mostEntries || (full && !mayTake.test(bytes(hashes.length)))) {
        failure = RebuildResult.Outcome.TOO_MANY_CHANGES;
        return -1;
      }
      entries++;
      if (full) {
        enlarge();
        at = find(hash);
      }
      hashes[at] = hash;
      boolean known = first != MATCHED || fresh.contains(hash);
      states[at] = known ? (byte) (ENTRY | first) : ENTRY;
    }
    return at;
  }

  private int find(long hash) {
    int mask = hashes.length - 1;
    int at = (int) (hash ^ hash >>> 32) & mask;
    while (states[at] != 0 && hashes[at] != hash) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void enlarge() {
    long[] oldHashes = hashes;
    byte[] oldStates = states;
    hashes = new long[2 * oldHashes.length];
    states = new byte[2 * oldStates.length];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldStates[i] != 0) {
        int at = find(oldHashes[i]);
        hashes[at] = oldHashes[i];
        states[at] = oldStates[i];
      }
    }
  }
}
