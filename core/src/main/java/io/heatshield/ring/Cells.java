package io.heatshield.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a segment: a hash table with linear probing, which is read without a lock.
 *
 * <p>A cell holds an entry and, in a second array, the identity of its key: two 64-bit hashes with
 * independent lanes of the ring's secret. Two different keys of up to 32 bytes have the same
 * identity, and then share a count, with a probability of about 2<sup>-124</sup> under a random
 * secret.
 */
final class Cells {
  /*
   * entries[i]           read: acquire   write: release, under the segment's monitor
   * ids[2i], ids[2i+1]   read: acquire   write: release, under the monitor, before the entry
   *
   * A lookup reads the entry of a cell, then the identity beside it. It reads no field of the entry
   * and not its key, so it loads two cache lines, and neither load waits for the other. A writer
   * uses the opposite order.
   *
   * A cell changes from null to an entry, from an entry to TOMBSTONE, and from TOMBSTONE, or from a
   * dead entry of the same key, to a new entry. So an identity is overwritten only after the entry
   * beside it was marked dead. A lookup that finds the identity of its key has therefore read
   * either the entry of the key or an entry that was already dead; because the identity is read
   * with acquire, the mark is then visible. This also holds for two halves of different identities:
   * both are read after the entry, and one of them is new. A dead entry counts nothing, and a
   * caller that finds one searches again under the monitor.
   *
   * A lookup misses the entry of a key only if it reads TOMBSTONE, null or another identity in the
   * cell of that entry, or null in a cell before it. The entry was then dead, or not yet inserted,
   * at some time during the lookup. An insertion uses the first tombstone of its probe, so no live
   * entry of a key lies behind a tombstone that still has its identity. Pinned by
   * HotRingReuseStress; see ADR-0089.
   */
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final VarHandle ID = MethodHandles.arrayElementVarHandle(long[].class);

  /** A dead entry that marks a cell whose entry was removed. */
  static final Entry TOMBSTONE = new GenerationEntry(0, (byte) 0, new byte[0], 0);

  static {
    long unused = TOMBSTONE.markDead();
  }

  private final @Nullable Entry[] entries;
  private final long[] ids;

  Cells(int length) {
    entries = new @Nullable Entry[length];
    ids = new long[2 * length];
  }

  int length() {
    return entries.length;
  }

  /** Returns the entry of a key, which may be dead, or null. */
  @Nullable Entry find(long hash, long secondHash) {
    int mask = entries.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = at(i);
      if (entry == null || hasId(i, hash, secondHash)) {
        return entry;
      }
    }
  }

  /** Returns an entry of any key with this hash, which may be dead, or null. */
  @Nullable Entry find(long hash) {
    int mask = entries.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = at(i);
      if (entry == null || (long) ID.getAcquire(ids, 2 * i) == hash) {
        return entry;
      }
    }
  }

  /** Returns the entry of a cell, TOMBSTONE or null; the index wraps around. */
  @Nullable Entry at(int i) {
    return (Entry) ENTRY.getAcquire(entries, i & (entries.length - 1));
  }

  /** Returns the live entry of a cell, or null; the index wraps around. */
  @Nullable Entry liveAt(int i) {
    Entry entry = at(i);
    return entry == null || entry.isDead() ? null : entry;
  }

  /** Returns whether a cell has this identity. */
  boolean hasId(int i, long hash, long secondHash) {
    return (long) ID.getAcquire(ids, 2 * i) == hash && secondHash(i) == secondHash;
  }

  long secondHash(int i) {
    return (long) ID.getAcquire(ids, 2 * i + 1);
  }

  /** Stores an entry in a cell that has no live entry. */
  void put(int i, Entry entry, long secondHash) {
    ID.setRelease(ids, 2 * i, entry.hash);
    ID.setRelease(ids, 2 * i + 1, secondHash);
    ENTRY.setRelease(entries, i, entry);
  }

  /** Replaces a dead entry by a tombstone. */
  void clear(int i) {
    ENTRY.setRelease(entries, i, TOMBSTONE);
  }
}
