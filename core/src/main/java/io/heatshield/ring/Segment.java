package io.heatshield.ring;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a ring's table: open addressing with linear probing, read without a lock.
 *
 * <p>Any thread may look; whoever changes the table holds this segment's monitor for one probe or,
 * when it must grow, for one pass over a part that a ring keeps small by having many.
 */
final class Segment {
  /*
   * table       read: volatile                    replaced: volatile, under the monitor
   * table[i]    read: acquire                     write: release, under the monitor
   *
   * A table that was replaced is never written again: a reader that still probes it sees the ring as it was. A cell
   * goes from null to an entry and from an entry to GONE, and only under the monitor from GONE to another entry, so a
   * probe that ends at null has missed nothing that was there all the time. An entry found may be dead: its state
   * tells, and the caller then goes through put, which replaces it. Half of the cells stay free.
   */
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Entry[].class);

  /** Marks a cell whose entry was taken out; born dead, it counts nothing even if it is matched. */
  private static final Entry GONE = new PlainEntry(0, (byte) 0, new byte[0]);

  static {
    long unused = GONE.kill();
  }

  private volatile @Nullable Entry[] table;
  private final @Nullable Singles singles;
  private int live;
  private int used;

  /** Creates an empty one, with a place for keys that were touched once or without. */
  Segment(int cells, @Nullable Singles singles) {
    table = new @Nullable Entry[cells];
    this.singles = singles;
  }

  /** Returns the entry of a key, which may be dead, or null. */
  <K> @Nullable Entry find(KeyForm<K> form, byte scope, K key, long hash, KeyHash second) {
    @Nullable Entry[] cells = table;
    int mask = cells.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = (Entry) CELL.getAcquire(cells, i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && entry.scope == scope && form.matches(entry.key, key, second)) {
        return entry;
      }
    }
  }

  /** Returns what is in the cell where a probe for a hash begins, or null. */
  @Nullable Entry first(long hash) {
    @Nullable Entry[] cells = table;
    return (Entry) CELL.getAcquire(cells, (int) hash & (cells.length - 1));
  }

  /** Returns an entry with this hash, or null. */
  @Nullable Entry find(long hash) {
    @Nullable Entry[] cells = table;
    int mask = cells.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = (Entry) CELL.getAcquire(cells, i);
      if (entry == null || entry.hash == hash) {
        return entry;
      }
    }
  }

  /**
   * Notes the first touch of a key that has neither an entry nor been noted; returns false if it
   * has, or if there is no room for a note.
   */
  synchronized <K> boolean note(
      KeyForm<K> form, byte scope, K key, long hash, KeyHash second, Moment moment) {
    if (singles == null || singles.beatOf(hash, moment) != Singles.NONE) {
      return false;
    }
    Entry entry = find(form, scope, key, hash, second);
    return (entry == null || entry.isDead()) && singles.note(hash, moment);
  }

  /** Returns whether a key was noted; its entry, if it has one now, was put in before. */
  synchronized boolean isNoted(long hash, Moment moment) {
    return singles != null && singles.beatOf(hash, moment) != Singles.NONE;
  }

  /** Takes back a note; returns whether there was one. */
  synchronized boolean unnote(long hash, Moment moment) {
    return singles != null && singles.take(hash, moment) != Singles.NONE;
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
  synchronized Entry put(Entry entry, Beats beats, Moment moment) {
    if (2 * (used + 1) > table.length) {
      rebuild();
    }
    @Nullable Entry[] cells = table;
    int mask = cells.length - 1;
    int free = -1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = cells[i];
      if (other == null) {
        used += free < 0 ? 1 : 0;
        live++;
        inherit(entry, beats, moment);
        CELL.setRelease(cells, free < 0 ? i : free, entry);
        return entry;
      }
      if (other == GONE) {
        free = free < 0 ? i : free;
      } else if (isSameKey(other, entry)) {
        if (!other.isDead()) {
          return other;
        }
        inherit(entry, beats, moment);
        CELL.setRelease(cells, i, entry);
        return entry;
      }
    }
  }

  /** Takes a dead entry out, unless {@link #put} or a rebuild has done so. */
  synchronized void takeOut(Entry entry) {
    @Nullable Entry[] cells = table;
    int mask = cells.length - 1;
    for (int i = (int) entry.hash & mask; ; i = (i + 1) & mask) {
      Entry other = cells[i];
      if (other == null) {
        return;
      }
      if (other == entry) {
        CELL.setRelease(cells, i, GONE);
        live--;
        return;
      }
    }
  }

  int cells() {
    return table.length;
  }

  /** Returns what is in a cell, counted round, or null if there is nothing alive. */
  @Nullable Entry at(int i) {
    @Nullable Entry[] cells = table;
    Entry entry = (Entry) CELL.getAcquire(cells, i & (cells.length - 1));
    return entry == null || entry.isDead() ? null : entry;
  }

  /** Returns the table as it stands, to be walked with {@link #at(Entry[], int)}. */
  @Nullable Entry[] snapshot() {
    return table;
  }

  static @Nullable Entry at(@Nullable Entry[] snapshot, int i) {
    Entry entry = (Entry) CELL.getAcquire(snapshot, i);
    return entry == null || entry.isDead() ? null : entry;
  }

  /** Returns the most cells that a look for any key of this segment reads. */
  synchronized int longestProbe() {
    @Nullable Entry[] cells = table;
    int mask = cells.length - 1;
    int longest = 0;
    for (int i = 0; i < cells.length; i++) {
      Entry entry = cells[i];
      if (entry != null && entry != GONE) {
        longest = Math.max(longest, ((i - (int) entry.hash) & mask) + 1);
      }
    }
    return longest;
  }

  private void inherit(Entry entry, Beats beats, Moment moment) {
    long beat = singles == null ? Singles.NONE : singles.take(entry.hash, moment);
    if (beat != Singles.NONE) {
      ((WindowEntry) entry).inherit(beat, beats, moment);
    }
  }

  private void rebuild() {
    @Nullable Entry[] old = table;
    int length = 8 * (live + 1) > 3 * old.length ? 2 * old.length : old.length;
    @Nullable Entry[] cells = new @Nullable Entry[length];
    int mask = length - 1;
    live = 0;
    for (Entry entry : old) {
      if (entry == null || entry.isDead()) {
        continue;
      }
      int i = (int) entry.hash & mask;
      while (cells[i] != null) {
        i = (i + 1) & mask;
      }
      cells[i] = entry;
      live++;
    }
    used = live;
    table = cells;
  }

  private static boolean isSameKey(Entry a, Entry b) {
    return a.hash == b.hash && a.scope == b.scope && Arrays.equals(a.key, b.key);
  }
}
