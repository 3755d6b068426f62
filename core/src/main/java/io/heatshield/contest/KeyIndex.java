package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of entries by key, with open addressing and linear probing, at most half full.
 *
 * <p>A removal moves later entries back into the gap, so there are no tombstones and probe
 * sequences stay short. The caller holds the lock of the stripe.
 */
final class KeyIndex<E extends KeyIndex.Entry> {
  private final KeyHash longKeyHash;
  private @Nullable Entry[] cells;
  private int size;

  /**
   * Creates an index that holds {@code capacity} entries without growing.
   *
   * @param longKeyHash the second hash, by which long keys are stored
   */
  KeyIndex(int capacity, KeyHash longKeyHash) {
    this.longKeyHash = longKeyHash;
    cells = new @Nullable Entry[cellsFor(capacity)];
  }

  /** Returns the entry of a key, or null. */
  @SuppressWarnings("unchecked") // All entries are of type E.
  <K> @Nullable E find(KeyForm<K> form, K key, long hash) {
    @Nullable Entry[] table = cells;
    int mask = table.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = table[i];
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash && form.matches(entry.stored, key, longKeyHash)) {
        return (E) entry;
      }
    }
  }

  /** Returns the entry of a key in its stored form, or null. */
  @SuppressWarnings("unchecked") // All entries are of type E.
  @Nullable E findStored(byte[] stored, long hash) {
    int mask = cells.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Entry entry = cells[i];
      if (entry == null || (entry.hash == hash && Arrays.equals(entry.stored, stored))) {
        return (E) entry;
      }
    }
  }

  /** Returns the stored form of a key. */
  <K> byte[] store(KeyForm<K> form, K key) {
    return form.store(key, longKeyHash);
  }

  /** Adds an entry whose key is not in the index. */
  void add(E entry) {
    if (2 * (size + 1) > cells.length) {
      rebuild(2 * size + 2);
    }
    place(entry);
    size++;
  }

  /** Removes an entry that is in the index. */
  void remove(E entry) {
    int mask = cells.length - 1;
    int gap = (int) entry.hash & mask;
    while (cells[gap] != entry) {
      gap = (gap + 1) & mask;
    }
    cells[gap] = null;
    size--;
    for (int i = (gap + 1) & mask; ; i = (i + 1) & mask) {
      Entry next = cells[i];
      if (next == null) {
        return;
      }
      // An entry may move back into the gap unless its first cell is behind the gap.
      if (((i - (int) next.hash) & mask) >= ((i - gap) & mask)) {
        cells[gap] = next;
        cells[i] = null;
        gap = i;
      }
    }
  }

  /** Grows or shrinks the index to the size that this number of entries needs. */
  void resize(int capacity) {
    rebuild(Math.max(capacity, size));
  }

  /** Returns the number of cells, for {@link #at}. */
  int cells() {
    return cells.length;
  }

  /** Returns the entry in a cell, or null. */
  @SuppressWarnings("unchecked") // All entries are of type E.
  @Nullable E at(int cell) {
    return (E) cells[cell];
  }

  private void rebuild(int capacity) {
    @Nullable Entry[] old = cells;
    cells = new @Nullable Entry[cellsFor(capacity)];
    for (Entry entry : old) {
      if (entry != null) {
        place(entry);
      }
    }
  }

  private void place(Entry entry) {
    int mask = cells.length - 1;
    int i = (int) entry.hash & mask;
    while (cells[i] != null) {
      i = (i + 1) & mask;
    }
    cells[i] = entry;
  }

  /** Returns the cells for a number of entries: a power of two, at least twice the number. */
  private static int cellsFor(int capacity) {
    return Integer.highestOneBit(Math.max(capacity, 1) * 4 - 1);
  }

  /** An entry of an index: a key and its hash. */
  abstract static sealed class Entry permits Tracked, BlockTable.Block {
    final long hash;

    /** The key in the stored form of {@link KeyForm}; never written. */
    final byte[] stored;

    Entry(long hash, byte[] stored) {
      this.hash = hash;
      this.stored = stored;
    }
  }
}
