package io.heatshield.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a ring's table.
 *
 * <p>Any thread may look; whoever changes the table holds this segment's monitor for one probe or,
 * when it must grow, for one pass over a part that a ring keeps small by having many.
 */
final class Segment {
  /*
   * all[index]   read: acquire   replaced: release, under the monitor
   *
   * The cells of all segments stand in one array of the table, which spares every look a step.
   * Cells that were replaced are never written again: a reader that still probes them sees the ring as it was. An entry
   * found may be dead: its state tells, and the caller then goes through put, which replaces it. At most five of eight
   * cells are in use, so that every probe ends, and at least one of four while there are more than at the start: what a
   * ring of few large keys takes must not depend on how many small ones it had.
   */
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(Cells[].class);

  private final Cells[] all;
  private final int index;
  private final int least;
  private final @Nullable Singles singles;
  private int live;
  private int used;

  /** Creates an empty one, with a place for keys that were touched once or without. */
  Segment(Cells[] all, int index, int length, @Nullable Singles singles) {
    this.all = all;
    this.index = index;
    this.least = length;
    this.singles = singles;
    CELLS.setRelease(all, index, new Cells(length));
  }

  /** Returns the cells of a segment as they stand. */
  static Cells cells(Cells[] all, int index) {
    return (Cells) CELLS.getAcquire(all, index);
  }

  /** Returns the cells as they stand. */
  Cells cells() {
    return cells(all, index);
  }

  /**
   * Notes a touch of a key that has no entry; returns its count with that touch, or 0 if it has an
   * entry, if there is no room for a note, or if that count is too much for one.
   *
   * @param below what the count must be below
   */
  synchronized int note(long hash, long check, Moment moment, long below) {
    if (singles == null) {
      return 0;
    }
    if (singles.wordOf(hash, moment) != 0) {
      return singles.again(hash, moment, below);
    }
    Entry entry = cells().find(hash, check);
    boolean notes = below > 1 && (entry == null || entry.isDead()) && singles.note(hash, moment);
    return notes ? 1 : 0;
  }

  /** Returns how often a key was noted; its entry, if it has one now, was put in before. */
  synchronized int noted(long hash, Moment moment) {
    long word = singles == null ? 0 : singles.wordOf(hash, moment);
    return word == 0 ? 0 : Singles.count(word);
  }

  /** Takes back what was noted of a key; returns how many touches that were. */
  synchronized int unnote(long hash, Moment moment) {
    long word = singles == null ? 0 : singles.take(hash, moment);
    return word == 0 ? 0 : Singles.count(word);
  }

  /** Runs an action on what was noted, if anything is. */
  synchronized void withSingles(Consumer<Singles> action) {
    if (singles != null) {
      action.accept(singles);
    }
  }

  /**
   * Returns the live entry of the same key, or puts this one in and returns it; what was noted of
   * the key is in it then.
   */
  synchronized Entry put(Entry entry, long check, Moment moment) {
    Cells in = cells();
    if (8 * (used + 1) > 5 * in.length()) {
      in = rebuilt(in, 2 * (live + 1) > in.length() ? 2 * in.length() : in.length());
    }
    int mask = in.length() - 1;
    int free = -1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = in.at(i);
      if (other == null) {
        used += free < 0 ? 1 : 0;
        live++;
        inherit(entry, moment);
        in.put(free < 0 ? i : free, entry, check);
        return entry;
      }
      if (other == Cells.GONE) {
        free = free < 0 ? i : free;
      } else if (in.isOf(i, entry.hash, check)) {
        if (!other.isDead()) {
          return other;
        }
        inherit(entry, moment);
        in.put(i, entry, check);
        return entry;
      }
    }
  }

  /** Takes a dead entry out, unless {@link #put} or a rebuild has done so. */
  synchronized void takeOut(Entry entry) {
    Cells in = cells();
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
          Cells unused = rebuilt(in, in.length() / 2);
        }
        return;
      }
    }
  }

  /** Returns the most cells that a look for any key of this segment reads. */
  synchronized int longestProbe() {
    Cells in = cells();
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

  private void inherit(Entry entry, Moment moment) {
    long word = singles == null ? 0 : singles.take(entry.hash, moment);
    if (word != 0) {
      ((WindowEntry) entry).inherit(word, moment);
    }
  }

  /** Moves what is alive into new cells, and returns these. */
  private Cells rebuilt(Cells old, int length) {
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
    CELLS.setRelease(all, index, next);
    return next;
  }
}
