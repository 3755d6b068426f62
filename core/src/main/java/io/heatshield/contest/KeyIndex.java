package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries by key: open addressing with linear probing, at most half full.
 *
 * <p>Whoever calls it holds the lock of the stripe. A removal closes the gap behind it, so probes
 * stay as short as if the entry had never been there, whatever comes and goes.
 */
final class KeyIndex<E extends KeyIndex.Keyed> {
  private final KeyHash second;
  private @Nullable Keyed[] cells;
  private int size;

  /** Makes an index that holds {@code capacity} entries without growing. */
  KeyIndex(int capacity, KeyHash second) {
    this.second = second;
    cells = new @Nullable Keyed[cellsFor(capacity)];
  }

  /** Returns the entry of a key, or null. */
  @SuppressWarnings("unchecked") // Only entries of type E are put in.
  <K> @Nullable E find(KeyForm<K> form, K key, long hash) {
    @Nullable Keyed[] table = cells;
    int mask = table.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Keyed entry = table[i];
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && form.matches(entry.stored, key, second)) {
        return (E) entry;
      }
    }
  }

  /** Returns the entry of a key in its stored form, or null. */
  @SuppressWarnings("unchecked") // Only entries of type E are put in.
  @Nullable E findStored(byte[] stored, long hash) {
    int mask = cells.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Keyed entry = cells[i];
      if (entry == null || (entry.hash == hash && Arrays.equals(entry.stored, stored))) {
        return (E) entry;
      }
    }
  }

  /** Returns the stored form of a key. */
  <K> byte[] store(KeyForm<K> form, K key) {
    return form.store(key, second);
  }

  /** Puts in an entry whose key is not there. */
  void put(E entry) {
    if (2 * (size + 1) > cells.length) {
      rebuild(2 * size + 2);
    }
    place(entry);
    size++;
  }

  /** Takes out an entry that is there. */
  void remove(E entry) {
    int mask = cells.length - 1;
    int gap = (int) entry.hash & mask;
    while (cells[gap] != entry) {
      gap = (gap + 1) & mask;
    }
    cells[gap] = null;
    size--;
    for (int i = (gap + 1) & mask; ; i = (i + 1) & mask) {
      Keyed next = cells[i];
      if (next == null) {
        return;
      }
      // An entry may move back into the gap unless its home lies behind the gap.
      if (((i - (int) next.hash) & mask) >= ((i - gap) & mask)) {
        cells[gap] = next;
        cells[i] = null;
        gap = i;
      }
    }
  }

  /** Makes room for a number of entries, or gives up what is not needed for them. */
  void resize(int capacity) {
    rebuild(Math.max(capacity, size));
  }

  int size() {
    return size;
  }

  int cells() {
    return cells.length;
  }

  /** Returns what is in a cell, or null. */
  @SuppressWarnings("unchecked") // Only entries of type E are put in.
  @Nullable E at(int cell) {
    return (E) cells[cell];
  }

  private void rebuild(int capacity) {
    @Nullable Keyed[] old = cells;
    cells = new @Nullable Keyed[cellsFor(capacity)];
    for (Keyed entry : old) {
      if (entry != null) {
        place(entry);
      }
    }
  }

  private void place(Keyed entry) {
    int mask = cells.length - 1;
    int i = (int) entry.hash & mask;
    while (cells[i] != null) {
      i = (i + 1) & mask;
    }
    cells[i] = entry;
  }

  /** Returns the cells for so many entries: a power of two, at least twice as many. */
  static int cellsFor(int capacity) {
    return Integer.highestOneBit(Math.max(capacity, 1) * 4 - 1);
  }

  /** A value with the key it is kept under. */
  abstract static sealed class Keyed permits Tracked, BlockTable.Block {
    final long hash;

    /** The key as {@link KeyForm} stores it; never written. */
    final byte[] stored;

    Keyed(long hash, byte[] stored) {
      this.hash = hash;
      this.stored = stored;
    }
  }
}
