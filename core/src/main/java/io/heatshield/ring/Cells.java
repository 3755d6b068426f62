package io.heatshield.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a segment: open addressing with linear probing, read without a lock.
 *
 * <p>A cell is an entry and, in an array beside, the identity of its key: two keyed 64-bit hashes
 * under independent lanes. Two different keys of up to 32 bytes share both with a probability of
 * about 2<sup>-124</sup> under a secret that nobody knows, and then share a count.
 */
final class Cells {
  /*
   * entries[i]            read: acquire             write: release, under the monitor
   * ids[2i], ids[2i+1]    read: acquire             write: release, under the monitor, before the entry is
   *
   * Looking for a key reads the cell's entry first and its identity after it, and neither the entry's words nor its key:
   * two lines that do not wait for each other. A writer goes the other way. A cell goes from null to an entry and from
   * an entry to GONE, and only from GONE, or from a dead entry of the same key, to another entry; its identity is
   * written only when the entry that was there is dead. So a reader that finds the identity it asked for beside an entry
   * that it has read before has the key's entry, or the identity came later: then the entry is dead, which reading the
   * identity with acquire makes the reader see. Halves of two identities give the same: they are read after the entry,
   * and one of them is new. A dead entry counts nothing and makes its finder look again under the monitor.
   *
   * A key's entry is missed only by a reader that found another identity beside it, or GONE, or null before it: the
   * entry was then dead, or not yet in, at some time during the look. Keys are put into the first GONE on their way, so
   * no live entry of a key lies behind a GONE that has its identity. Pinned by HotRingReuseStress; see ADR-0061.
   */
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final VarHandle ID = MethodHandles.arrayElementVarHandle(long[].class);

  /** Marks a cell whose entry was taken out; born dead, it counts nothing even if it is matched. */
  static final Entry GONE = new GenerationEntry(0, (byte) 0, new byte[0], 0);

  static {
    long unused = GONE.kill();
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
  @Nullable Entry find(long hash, long check) {
    int mask = entries.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = at(i);
      if (entry == null || isOf(i, hash, check)) {
        return entry;
      }
    }
  }

  /** Returns an entry with this hash, which may be dead, or null. */
  @Nullable Entry find(long hash) {
    int mask = entries.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = at(i);
      if (entry == null || (long) ID.getAcquire(ids, 2 * i) == hash) {
        return entry;
      }
    }
  }

  /** Returns what is in a cell, counted round. */
  @Nullable Entry at(int i) {
    return (Entry) ENTRY.getAcquire(entries, i & (entries.length - 1));
  }

  /** Returns what is in a cell, counted round, or null if there is nothing alive. */
  @Nullable Entry liveAt(int i) {
    Entry entry = at(i);
    return entry == null || entry.isDead() ? null : entry;
  }

  /** Returns whether a cell has this identity. */
  boolean isOf(int i, long hash, long check) {
    return (long) ID.getAcquire(ids, 2 * i) == hash
        && (long) ID.getAcquire(ids, 2 * i + 1) == check;
  }

  long check(int i) {
    return (long) ID.getAcquire(ids, 2 * i + 1);
  }

  /** Puts an entry into a cell that has none alive. */
  void put(int i, Entry entry, long check) {
    ID.setRelease(ids, 2 * i, entry.hash);
    ID.setRelease(ids, 2 * i + 1, check);
    ENTRY.setRelease(entries, i, entry);
  }

  /** Takes a dead entry out of its cell. */
  void clear(int i) {
    ENTRY.setRelease(entries, i, GONE);
  }
}
