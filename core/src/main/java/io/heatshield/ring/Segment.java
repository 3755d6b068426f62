package io.heatshield.ring;

/**
 * A part of a ring's table, with its own lock.
 *
 * <p>Any thread may read it without the lock. A change holds this object's monitor for one probe
 * or, when the segment is resized, for one pass over its cells. A ring has up to 64 segments, so
 * each is small.
 */
final class Segment {
  /*
   * cells   read: volatile   replaced: volatile, under the monitor
   *
   * A resize copies the live entries to new cells, and the old cells are never written again. A
   * lookup that still reads the old cells sees the segment as it was before the resize. It may find
   * an entry that has died since; the caller sees this in the entry's state and calls put, which
   * replaces the entry. Pinned by HotRingThreadsTest.
   *
   * At most 5/8 of the cells are in use, so that every probe ends. A segment shrinks when less than
   * 1/4 of its cells are live, but not below its initial length: the memory of a ring with few
   * large keys must not depend on how many small keys it held before. Pinned by HotRingCapTest.
   */
  private final int minLength;
  private volatile Cells cells;
  private int live;
  private int used;

  /** Creates an empty segment that never has fewer cells than {@code length}, a power of two. */
  Segment(int length) {
    minLength = length;
    cells = new Cells(length);
  }

  /** Returns the current cells. */
  Cells cells() {
    return cells;
  }

  /** Returns the live entry of the same key if there is one; otherwise inserts {@code entry}. */
  synchronized Entry put(Entry entry, long secondHash) {
    if (8 * (used + 1) > 5 * cells.length()) {
      resize(2 * (live + 1) > cells.length() ? 2 * cells.length() : cells.length());
    }
    Cells current = cells;
    int mask = current.length() - 1;
    int tombstone = -1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = current.at(i);
      if (other == null) {
        used += tombstone < 0 ? 1 : 0;
        live++;
        current.put(tombstone < 0 ? i : tombstone, entry, secondHash);
        return entry;
      }
      if (other == Cells.TOMBSTONE) {
        tombstone = tombstone < 0 ? i : tombstone;
      } else if (current.hasId(i, entry.hash, secondHash)) {
        if (!other.isDead()) {
          return other;
        }
        current.put(i, entry, secondHash);
        return entry;
      }
    }
  }

  /** Removes a dead entry, unless {@link #put} or a resize has already done so. */
  synchronized void remove(Entry entry) {
    Cells current = cells;
    int mask = current.length() - 1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = current.at(i);
      if (other == null) {
        return;
      }
      if (other == entry) {
        current.clear(i);
        live--;
        if (current.length() > minLength && 4 * live < current.length()) {
          resize(current.length() / 2);
        }
        return;
      }
    }
  }

  /** Returns the largest number of cells that the lookup of a key of this segment reads. */
  synchronized int longestProbe() {
    Cells current = cells;
    int mask = current.length() - 1;
    int longest = 0;
    for (int i = 0; i < current.length(); i++) {
      Entry entry = current.at(i);
      if (entry != null && entry != Cells.TOMBSTONE) {
        longest = Math.max(longest, ((i - (int) entry.hash) & mask) + 1);
      }
    }
    return longest;
  }

  /** Moves the live entries to new cells. */
  private void resize(int length) {
    Cells old = cells;
    Cells next = new Cells(length);
    int mask = length - 1;
    live = 0;
    for (int from = 0; from < old.length(); from++) {
      Entry entry = old.liveAt(from);
      if (entry == null) {
        continue;
      }
      int to = (int) entry.hash & mask;
      while (next.at(to) != null) {
        to = (to + 1) & mask;
      }
      next.put(to, entry, old.secondHash(from));
      live++;
    }
    used = live;
    cells = next;
  }
}
