package io.heatshield.ring;

/**
 * A part of a ring's table.
 *
 * <p>Any thread may read; whoever changes the table holds this segment's monitor for one probe or,
 * when it must resize, for one pass over the segment, which is small because a ring has many.
 */
final class Segment {
  /*
   * cells   read: volatile   replaced: volatile, under the monitor
   *
   * Cells that were replaced are never written again: a reader that still probes them sees the ring as it was. An entry
   * found may be dead: its state tells, and the caller then goes through put, which replaces it. At most five of eight
   * cells are in use, so that every probe ends, and at least one of four while there are more than at the start: what a
   * ring of few large keys takes must not depend on how many small ones it had.
   */
  private final int least;
  private volatile Cells cells;
  private int live;
  private int used;

  /** Creates an empty one that has at least so many cells, a power of two. */
  Segment(int length) {
    least = length;
    cells = new Cells(length);
  }

  /** Returns the cells as they stand. */
  Cells cells() {
    return cells;
  }

  /** Returns the live entry of the same key, or puts this one in and returns it. */
  synchronized Entry put(Entry entry, long check) {
    if (8 * (used + 1) > 5 * cells.length()) {
      resize(2 * (live + 1) > cells.length() ? 2 * cells.length() : cells.length());
    }
    Cells in = cells;
    int mask = in.length() - 1;
    int free = -1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = in.at(i);
      if (other == null) {
        used += free < 0 ? 1 : 0;
        live++;
        in.put(free < 0 ? i : free, entry, check);
        return entry;
      }
      if (other == Cells.GONE) {
        free = free < 0 ? i : free;
      } else if (in.isOf(i, entry.hash, check)) {
        if (!other.isDead()) {
          return other;
        }
        in.put(i, entry, check);
        return entry;
      }
    }
  }

  /** Takes a dead entry out, unless {@link #put} or a resize has done so. */
  synchronized void takeOut(Entry entry) {
    Cells in = cells;
    int mask = in.length() - 1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = in.at(i);
      if (other == null) {
        return;
      }
      if (other == entry) {
        in.clear(i);
        live--;
        if (in.length() > least && 4 * live < in.length()) {
          resize(in.length() / 2);
        }
        return;
      }
    }
  }

  /** Returns the most cells that a look for any key of this segment reads. */
  synchronized int longestProbe() {
    Cells in = cells;
    int mask = in.length() - 1;
    int longest = 0;
    for (int i = 0; i < in.length(); i++) {
      Entry entry = in.at(i);
      if (entry != null && entry != Cells.GONE) {
        longest = Math.max(longest, ((i - (int) entry.hash) & mask) + 1);
      }
    }
    return longest;
  }

  /** Moves what is alive into new cells. */
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
      next.put(to, entry, old.check(from));
      live++;
    }
    used = live;
    cells = next;
  }
}
