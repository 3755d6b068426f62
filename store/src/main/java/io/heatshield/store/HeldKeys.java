package io.heatshield.store;

import io.heatshield.hash.KeyHash;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Some of the keys that an engine is known to hold, so that it need not be asked for them.
 *
 * <p>A key that is in here is in the engine, ended or not; one that is not may be. A key is known
 * by two keyed hashes of 64 bits each, {@value #KEY_BYTES} bytes: two keys are taken for one if
 * both are equal, with a probability of 2<sup>-128</sup> for any two, whoever chooses them. Memory
 * grows with the keys up to a bound; past that a key takes the place of another.
 *
 * <p>Only for an engine that this store alone writes to. Whoever calls holds the key's stripe, or
 * all of them where it says so; {@link #bytes} anybody may ask.
 */
final class HeldKeys {
  /*
   * tables   one for each stripe: [hash, second hash] for each key, 0 and 0 for a free cell
   *
   * All of a stripe's table is written and read under the stripe, so accesses are plain. A key lies in one of the eight
   * cells from the one that its hash names, whatever lies beside it: taking one out moves none. Pinned by HeldKeysTest.
   * See ADR-0062.
   */
  static final int KEY_BYTES = 16;
  private static final int LOOKS = 8;
  private static final int FIRST = 16;
  private static final int HASH_SHIFT = 20;
  private static final int MAX_CELLS = 1 << 20;
  private static final long[] NONE = {};

  private final KeyHash second;
  private final long[][] tables = new long[Stripes.COUNT][];
  private int most;
  private final AtomicLong bytes = new AtomicLong();

  /** Creates an empty one that may take so many bytes; fewer than 64 KiB are of no use. */
  HeldKeys(KeyHash second, long maxBytes) {
    this.second = second;
    this.most = cells(maxBytes);
    Arrays.fill(tables, NONE);
  }

  /** Sets the bytes that it may take, and forgets all keys if that is less; for who holds all. */
  void fit(long maxBytes) {
    int cells = cells(maxBytes);
    if (cells < most) {
      clear();
    }
    most = cells;
  }

  /** Returns how many keys there may be; for who holds any stripe. */
  long capacity() {
    return (long) most * Stripes.COUNT;
  }

  boolean contains(byte[] key, long hash) {
    long[] cells = tables[Stripes.place(hash)];
    return cells.length > 0 && find(cells, hash, second.hash(key)) >= 0;
  }

  /** Takes in a key that the engine holds. */
  void add(byte[] key, long hash) {
    if (most == 0) {
      return;
    }
    int stripe = Stripes.place(hash);
    long other = second.hash(key);
    if (tables[stripe].length == 0) {
      resize(stripe, FIRST);
    }
    if (find(tables[stripe], hash, other) >= 0) {
      return;
    }
    int at = find(tables[stripe], 0, 0, hash);
    while (at < 0 && tables[stripe].length < 2 * most) {
      resize(stripe, tables[stripe].length);
      at = find(tables[stripe], 0, 0, hash);
    }
    long[] cells = tables[stripe];
    if (at < 0) {
      at = (home(cells, hash) + 2 * ((int) other & (LOOKS - 1))) & (cells.length - 1);
    }
    cells[at] = hash;
    cells[at + 1] = other;
  }

  /** Forgets a key, because the engine holds it no more or may not. */
  void remove(byte[] key, long hash) {
    long[] cells = tables[Stripes.place(hash)];
    int at = cells.length == 0 ? -1 : find(cells, hash, second.hash(key));
    if (at >= 0) {
      cells[at] = 0;
      cells[at + 1] = 0;
    }
  }

  /** Forgets all keys; for who holds all stripes. */
  void clear() {
    Arrays.fill(tables, NONE);
    bytes.set(0);
  }

  long bytes() {
    return bytes.get();
  }

  /** Gives a stripe twice as many cells as it has longs; a key that finds no place is forgotten. */
  private void resize(int stripe, int cells) {
    long[] old = tables[stripe];
    long[] next = new long[2 * cells];
    for (int from = 0; from < old.length; from += 2) {
      int to = find(next, 0, 0, old[from]);
      if (to >= 0) {
        next[to] = old[from];
        next[to + 1] = old[from + 1];
      }
    }
    tables[stripe] = next;
    bytes.addAndGet((long) Long.BYTES * (next.length - old.length));
  }

  private static int cells(long maxBytes) {
    long each = Math.min(MAX_CELLS, Math.max(0, maxBytes) / KEY_BYTES / Stripes.COUNT);
    return each < FIRST ? 0 : Integer.highestOneBit((int) each);
  }

  private static int find(long[] cells, long hash, long other) {
    return hash == 0 && other == 0 ? -1 : find(cells, hash, other, hash);
  }

  /** Returns where these two are among the cells of a key with a hash, or -1. */
  private static int find(long[] cells, long first, long other, long hash) {
    int at = home(cells, hash);
    for (int look = 0; look < LOOKS; look++) {
      if (cells[at] == first && cells[at + 1] == other) {
        return at;
      }
      at = (at + 2) & (cells.length - 1);
    }
    return -1;
  }

  private static int home(long[] cells, long hash) {
    return ((int) (hash >>> HASH_SHIFT) << 1) & (cells.length - 1);
  }
}
